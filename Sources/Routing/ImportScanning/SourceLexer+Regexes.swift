extension SourceLexer {
  /// The marks after which an operator is a prefix operator even without white space.
  private static let marksBeforeOperand: [UInt8] = [
    ASCII.openParenthesis, ASCII.openBracket, ASCII.openBrace, ASCII.comma, ASCII.semicolon, ASCII.colon,
  ]

  /// Returns the length of the regular expression whose bare slash is at the cursor, or nil if the slash is
  /// an operator.
  ///
  /// By the rules of SE-0354, a regular expression begins where an operand may begin, contains no line break,
  /// neither begins nor ends with a space or a tab, and does not close a parenthesis that it did not open.
  func bareRegexLength(touchesPrevious: Bool) -> Int? {
    guard mayBeginOperand(touchesPrevious: touchesPrevious) else { return nil }
    guard let first = cursor.peek(1), first != ASCII.space, first != ASCII.tab else { return nil }
    var (ahead, parentheses, brackets) = (1, 0, 0)
    var endsInSpace = false
    while let byte = cursor.peek(ahead), !ASCII.endsLine(byte) {
      switch byte {
      case ASCII.slash: return endsInSpace ? nil : ahead + 1
      case ASCII.backslash:
        guard let escaped = cursor.peek(ahead + 1), !ASCII.endsLine(escaped) else { return nil }
        ahead += 1
      case ASCII.openBracket: brackets += 1
      case ASCII.closeBracket: brackets = max(0, brackets - 1)
      case ASCII.openParenthesis where brackets == 0: parentheses += 1
      case ASCII.closeParenthesis where brackets == 0:
        guard parentheses > 0 else { return nil }
        parentheses -= 1
      default: break
      }
      endsInSpace = byte == ASCII.space || byte == ASCII.tab
      ahead += 1
    }
    return nil
  }

  /// Returns the length of the regular expression between `#/` and `/#` at the cursor, or nil if it is not
  /// closed.
  ///
  /// It spans several lines only if the first line ends right after the opening delimiter.
  mutating func extendedRegexLength(pounds: Int) -> Int? {
    guard !unclosedPounds.contains(pounds) else { return nil }
    var ahead = pounds + 1
    while cursor.peek(ahead) == ASCII.space || cursor.peek(ahead) == ASCII.tab { ahead += 1 }
    let severalLines = cursor.peek(ahead).map(ASCII.endsLine) ?? false
    ahead = pounds + 1
    while let byte = cursor.peek(ahead) {
      if ASCII.endsLine(byte), !severalLines { return nil }
      if byte == ASCII.backslash, let escaped = cursor.peek(ahead + 1), !ASCII.endsLine(escaped) {
        ahead += 2
      } else if byte == ASCII.slash, cursor.repeats(ASCII.pound, count: pounds, ahead: ahead + 1) {
        return ahead + 1 + pounds
      } else {
        ahead += 1
      }
    }
    // Without this set, scanning the rest of the text for each opening delimiter would take quadratic time.
    unclosedPounds.insert(pounds)
    return nil
  }

  private func mayBeginOperand(touchesPrevious: Bool) -> Bool {
    switch previous {
    case nil: true
    // `func /(` and `infix operator /` declare the operator.
    case .name("func"), .name("operator"): false
    case .mark(let byte):
      !touchesPrevious || Self.marksBeforeOperand.contains(byte)
    default: !touchesPrevious
    }
  }
}
