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
