/// A source file of a module, with its place in the module's folder.
public struct ModuleSource: Sendable, Hashable {
  /// The path that a violation names.
  public var path: String
  /// The path relative to the module's folder, such as `Screens/HomeScreen.swift`.
  public var place: String
  /// The contents, which need not be valid Swift or UTF-8.
  public var text: [UInt8]

  /// Creates a source file.
  public init(path: String, place: String, text: some Sequence<UInt8>) {
    self.path = path
    self.place = place
    self.text = Array(text)
  }
}
