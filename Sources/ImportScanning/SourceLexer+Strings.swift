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
