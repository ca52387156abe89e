/// Divides a Swift source text into lexemes and skips white space and comments.
///
/// It recognizes only comments, names and literals, and never fails: text that is not Swift also yields
/// lexemes. It takes linear time and does not recurse, so nesting may be arbitrarily deep.
struct SourceLexer: Sendable {
  /// The literal that encloses the cursor.
  enum Context: Sendable, Hashable {
    /// The characters of a string that ends with a number of quotes followed by a number of pounds.
    case string(quotes: Int, pounds: Int)
    /// The code of an interpolation, with the number of open parentheses.
    case interpolation(open: Int)
  }

  var cursor: SourceCursor
  /// The literals that enclose the cursor, outermost first; empty in plain code.
  var enclosing: [Context] = []
  var previous: Lexeme.Kind?
  /// The numbers of pounds for which the rest of the text contains no closing delimiter of a regular
  /// expression.
  var unclosedPounds: Set<Int> = []

  init(_ source: some Sequence<UInt8>) {
    cursor = SourceCursor(Array(source))
    // A byte order mark would otherwise be read as the first letter of a name.
    if cursor.peek() == 0xEF, cursor.peek(1) == 0xBB, cursor.peek(2) == 0xBF { cursor.advance(by: 3) }
    if cursor.peek() == ASCII.pound, cursor.peek(1) == ASCII.exclamation { cursor.advanceToEndOfLine() }
  }

  /// Returns the next lexeme, or nil at the end of the text.
  mutating func next() -> Lexeme? {
    while case .string(let quotes, let pounds) = enclosing.last {
      skipCharacters(quotes: quotes, pounds: pounds)
    }
    let separated = skipTrivia() || previous == nil
    guard let byte = cursor.peek() else { return nil }
    let (line, column) = (cursor.line, cursor.column)
    let kind = takeLexeme(startingWith: byte, touchesPrevious: !separated)
    previous = kind
    return Lexeme(kind: kind, line: line, column: column, touchesPrevious: !separated)
  }

  private mutating func takeLexeme(startingWith byte: UInt8, touchesPrevious: Bool) -> Lexeme.Kind {
    if ASCII.isNameByte(byte) { return takeName() }
    switch byte {
    case ASCII.backtick: return takeQuotedName()
    case ASCII.quote: return beginString(pounds: 0)
    case ASCII.pound: return takePounds()
    case ASCII.slash:
      if let length = bareRegexLength(touchesPrevious: touchesPrevious) {
        cursor.advance(by: length)
        return .literal
      }
    case ASCII.openParenthesis: countParenthesis(1)
    case ASCII.closeParenthesis: countParenthesis(-1)
    default: break
    }
    cursor.advance()
    return .mark(byte)
  }

  private mutating func takeName() -> Lexeme.Kind {
    let start = cursor.offset
    while let byte = cursor.peek(), ASCII.isNameByte(byte), cursor.spaceLength == 0 { cursor.advance() }
    return .name(cursor.text(from: start))
  }

  private mutating func takeQuotedName() -> Lexeme.Kind {
    cursor.advance()
    let start = cursor.offset
    while let byte = cursor.peek(), byte != ASCII.backtick, !ASCII.endsLine(byte) { cursor.advance() }
    let name = cursor.text(from: start)
    if cursor.peek() == ASCII.backtick { cursor.advance() }
    return .quotedName(name)
  }

  private mutating func takePounds() -> Lexeme.Kind {
    let pounds = cursor.run(of: ASCII.pound)
    if cursor.peek(pounds) == ASCII.quote { return beginString(pounds: pounds) }
    if cursor.peek(pounds) == ASCII.slash, let length = extendedRegexLength(pounds: pounds) {
      cursor.advance(by: length)
      return .literal
    }
    cursor.advance(by: pounds)
    return .mark(ASCII.pound)
  }

  private mutating func countParenthesis(_ change: Int) {
    guard case .interpolation(let open) = enclosing.last else { return }
    enclosing.removeLast()
    if open + change > 0 { enclosing.append(.interpolation(open: open + change)) }
  }
}

extension SourceLexer {
  /// Skips white space and comments, and returns whether there were any.
  mutating func skipTrivia() -> Bool {
    let start = cursor.offset
    while true {
      let space = cursor.spaceLength
      if space > 0 {
        cursor.advance(by: space)
      } else if cursor.peek() == ASCII.slash, cursor.peek(1) == ASCII.slash {
        cursor.advanceToEndOfLine()
      } else if cursor.peek() == ASCII.slash, cursor.peek(1) == ASCII.asterisk {
        skipBlockComment()
      } else {
        return cursor.offset > start
      }
    }
  }

  private mutating func skipBlockComment() {
    var depth = 0
    while let byte = cursor.peek() {
      let following = cursor.peek(1)
      if byte == ASCII.slash, following == ASCII.asterisk {
        depth += 1
        cursor.advance(by: 2)
      } else if byte == ASCII.asterisk, following == ASCII.slash {
        depth -= 1
        cursor.advance(by: 2)
        if depth == 0 { return }
      } else {
        cursor.advance()
      }
    }
  }
}

extension SourceLexer {
  /// Enters the string whose opening delimiter is at the cursor.
  mutating func beginString(pounds: Int) -> Lexeme.Kind {
    let quotes = opensSeveralLines(pounds: pounds) ? 3 : 1
    cursor.advance(by: pounds + quotes)
    enclosing.append(.string(quotes: quotes, pounds: pounds))
    return .literal
  }

  /// Skips the characters of a string up to its closing delimiter or its next interpolation.
  mutating func skipCharacters(quotes: Int, pounds: Int) {
    while let byte = cursor.peek() {
      if byte == ASCII.backslash, cursor.repeats(ASCII.pound, count: pounds, ahead: 1) {
        cursor.advance(by: 1 + pounds)
        if cursor.peek() == ASCII.openParenthesis {
          cursor.advance()
          enclosing.append(.interpolation(open: 1))
          return
        }
        // An escaped line break is left to the check below: a single-line string never extends past it.
        if let escaped = cursor.peek(), !ASCII.endsLine(escaped) { cursor.advance() }
      } else if cursor.repeats(ASCII.quote, count: quotes),
        cursor.repeats(ASCII.pound, count: pounds, ahead: quotes)
      {
        cursor.advance(by: quotes + pounds)
        break
      } else if quotes == 1, ASCII.endsLine(byte) {
        break
      } else {
        cursor.advance()
      }
    }
    enclosing.removeLast()
  }

  /// Whether the delimiter at the cursor opens a multi-line string.
  ///
  /// With pounds, three quotes may not: `#"""#` is a single-line string that contains a quote.
  private func opensSeveralLines(pounds: Int) -> Bool {
    guard cursor.repeats(ASCII.quote, count: 3, ahead: pounds) else { return false }
    guard pounds > 0 else { return true }
    var ahead = pounds + 1
    while let byte = cursor.peek(ahead), !ASCII.endsLine(byte) {
      if byte == ASCII.quote, cursor.repeats(ASCII.pound, count: pounds, ahead: ahead + 1) { return false }
      ahead += 1
    }
    return true
  }
}

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
