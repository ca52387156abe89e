/// Percent-encoding of RFC 3986, section 2.1, over bytes.
enum PercentEncoding {
  /// Appends what the bytes of `range` stand for; `at` in a fault is the offset in `source`.
  ///
  /// Each `%XX` is decoded once. Bytes that are no UTF-8 and NUL are refused.
  static func decode(
    _ source: [UInt8], _ range: Range<Int>, plusIsSpace: Bool = false, into target: inout [UInt8]
  ) throws(URLFault) -> Range<Int> {
    let start = target.count
    var isASCII = true
    var index = range.lowerBound
    while index < range.upperBound {
      var byte = source[index]
      let here = index
      index += 1
      if byte == UInt8(ascii: "%") {
        guard index + 1 < range.upperBound, let high = digit(source[index]),
          let low = digit(source[index + 1])
        else { throw URLFault(.percent, at: here) }
        byte = high << 4 | low
        index += 2
      } else if plusIsSpace, byte == UInt8(ascii: "+") {
        byte = UInt8(ascii: " ")
      }
      if byte == 0 { throw URLFault(.nul, at: here) }
      if byte >= 0x80 { isASCII = false }
      target.append(byte)
    }
    if !isASCII, String(validating: target[start...], as: UTF8.self) == nil {
      throw URLFault(.encoding, at: range.lowerBound)
    }
    return start..<target.count
  }

  /// The text with every byte but RFC 3986's unreserved characters encoded.
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

  static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
