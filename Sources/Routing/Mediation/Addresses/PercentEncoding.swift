/// Percent-encoding of bytes (RFC 3986, section 2.1).
enum PercentEncoding {
  /// Returns the byte that the `%XX` at an offset encodes.
  static func escape(_ bytes: Span<UInt8>, at offset: Int) throws(RouteURL.SyntaxError) -> UInt8 {
    guard offset + 2 < bytes.count, let high = digit(bytes[offset + 1]), let low = digit(bytes[offset + 2])
    else { throw RouteURL.SyntaxError(.percent, at: offset) }
    let byte = high << 4 | low
    if byte == 0 { throw RouteURL.SyntaxError(.nul, at: offset) }
    return byte
  }

  /// Returns the byte at an offset, decoded if it is a `%XX`, and moves the offset past it.
  ///
  /// For checked text: a `%` without two digits after it is returned as is.
  @inline(__always)
  static func next(_ bytes: Span<UInt8>, _ offset: inout Int, plusIsSpace: Bool = false) -> UInt8 {
    let byte = bytes[offset]
    offset += 1
    if byte == UInt8(ascii: "%") {
      guard offset + 1 < bytes.count, let high = digit(bytes[offset]), let low = digit(bytes[offset + 1])
      else {
        return byte
      }
      offset += 2
      return high << 4 | low
    }
    return plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte
  }

  /// Appends the decoded bytes of a checked range.
  static func decode(
    _ bytes: Span<UInt8>, _ range: Range<Int>, plusIsSpace: Bool = false, into target: inout [UInt8]
  ) -> Range<Int> {
    let start = target.count
    var offset = range.lowerBound
    while offset < range.upperBound { target.append(next(bytes, &offset, plusIsSpace: plusIsSpace)) }
    return start..<target.count
  }

  /// Returns the text with every byte encoded except RFC 3986's unreserved characters.
  static func encode(_ text: String) -> String {
    var encoded = ""
    for byte in text.utf8 {
      if isUnreserved(byte) {
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        encoded += byte < 0x10 ? "%0" : "%"
        encoded += String(byte, radix: 16, uppercase: true)
      }
    }
    return encoded
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  @inline(__always)
  static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

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
