/// The identity of a shown screen; never reused within a navigator.
public struct EntryID: Sendable, Hashable, CustomStringConvertible {
  /// The number of the screen, starting at 1.
  public let number: Int

  /// Creates the identity of the screen with a number.
  public init(_ number: Int) { self.number = number }

  /// The number with a `#` prefix.
  public var description: String { "#\(number)" }
}
