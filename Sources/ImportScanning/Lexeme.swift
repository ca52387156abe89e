/// A piece of source text that matters to whoever looks for imports.
struct Lexeme: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    /// An identifier, a keyword or a number.
    case name(String)
    /// An identifier between back-ticks, which is never a keyword.
    case quotedName(String)
    /// A string or a regular expression; of a string, its beginning.
    case literal
    /// Any other byte: punctuation or a part of an operator.
    case mark(UInt8)
  }

  var kind: Kind
  var line: Int
  var column: Int
  /// Whether the byte before this lexeme belongs to another lexeme, not to white space or a comment.
  var touchesPrevious: Bool
}
