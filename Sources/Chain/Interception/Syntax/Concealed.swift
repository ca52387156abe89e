/// A value that shows only its description when it is printed, dumped or reflected.
///
/// Its properties may be secrets, or content of any size.
package protocol Concealed: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Concealed {
  /// The description.
  public var debugDescription: String { description }

  /// The description, in place of the properties.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
