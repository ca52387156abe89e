/// What is wrong in the text of a route pattern, where, and what to write in its place.
public struct RoutePatternError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The pattern as it was written.
  public let text: String
  /// The offset in bytes at which the fault was noticed.
  public let offset: Int
  /// What is wrong, as a clause.
  public let problem: String
  /// What to do about it, as a clause.
  public let remedy: String

  /// One sentence with the pattern, the place, the fault and the remedy.
  public var description: String { "Pattern \"\(text)\", byte \(offset): \(problem); \(remedy)." }
}
