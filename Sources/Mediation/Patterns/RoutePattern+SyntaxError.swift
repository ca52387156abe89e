extension RoutePattern {
  /// A fault in the text of a route pattern, with its offset and a remedy.
  public struct SyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The text of the pattern.
    public let text: String
    /// The offset in bytes at which the fault was found.
    public let offset: Int
    /// What is wrong, as a clause.
    public let problem: String
    /// What to do about it, as a clause.
    public let remedy: String

    /// One sentence with the pattern, the offset, the fault and the remedy.
    public var description: String { "Pattern \"\(text)\", byte \(offset): \(problem); \(remedy)." }
  }
}
