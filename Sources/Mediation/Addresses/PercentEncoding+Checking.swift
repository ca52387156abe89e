extension PercentEncoding {
  /// Throws if the byte must be percent-encoded everywhere in a URL: controls, space, `"`, `<`, `>`, `\`,
  /// `^`, `` ` ``, `{`, `|`, `} `.
  static func checkBare(_ byte: UInt8, at offset: Int) throws(RouteURL.SyntaxError) {
    switch byte {
    case 0: throw RouteURL.SyntaxError(.nul, at: offset)
    case 1...0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
      UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
      throw RouteURL.SyntaxError(.illegalCharacter(byte), at: offset)
    default: return
    }
  }

  /// Returns whether a range decodes to `.` or `..`.
  static func isDots(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    var offset = range.lowerBound
    var dots = 0
    while offset < range.upperBound {
      guard dots < 2, next(bytes, &offset) == UInt8(ascii: ".") else { return false }
      dots += 1
    }
    return dots > 0
  }

  /// Returns whether a range decodes to UTF-8 (RFC 3629, section 4).
  static func isUTF8(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    var offset = range.lowerBound
    var awaited = 0
    var bounds: ClosedRange<UInt8> = 0x80...0xBF
    while offset < range.upperBound {
      let byte = next(bytes, &offset)
      if awaited > 0 {
        guard bounds.contains(byte) else { return false }
        awaited -= 1
        bounds = 0x80...0xBF
        continue
      }
      switch byte {
      case 0..<0x80: continue
      case 0xC2...0xDF: awaited = 1
      case 0xE0...0xEF:
        awaited = 2
        // Excludes overlong forms and surrogates.
        if byte == 0xE0 { bounds = 0xA0...0xBF } else if byte == 0xED { bounds = 0x80...0x9F }
      case 0xF0...0xF4:
        awaited = 3
        if byte == 0xF0 { bounds = 0x90...0xBF } else if byte == 0xF4 { bounds = 0x80...0x8F }
      default: return false
      }
    }
    return awaited == 0
  }
}
