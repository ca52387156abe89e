/// The identity of one shown screen; never used again within a navigator.
public struct EntryID: Sendable, Hashable, CustomStringConvertible {
  /// The number of the screen, counted from 1.
  public let number: Int

  /// Names the screen of a number.
  public init(_ number: Int) { self.number = number }

  /// The number with a sign before it.
  public var description: String { "#\(number)" }
}
