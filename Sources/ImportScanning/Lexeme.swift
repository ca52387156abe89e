/// A lexical element of a source text that is relevant to finding imports.
struct Lexeme: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    /// An identifier, a keyword or a number.
    case name(String)
    /// An identifier in back-ticks, which is never a keyword.
    case quotedName(String)
    /// A regular expression, or the opening delimiter of a string.
    case literal
    /// Any other byte: punctuation or part of an operator.
    case mark(UInt8)
  }

  var kind: Kind
  var line: Int
  var column: Int
  /// Whether the preceding byte belongs to another lexeme, and not to white space or a comment.
  var touchesPrevious: Bool
}
