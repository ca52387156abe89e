import Cryptography
import Interception

extension StructuredFieldParser {
  /// The next byte, or nil at the end.
  var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// Returns the error for a violation at the current position.
  func fault(_ rule: StructuredFieldError.Rule) -> StructuredFieldError {
    StructuredFieldError(rule: rule, offset: index)
  }

  /// Skips a character if it is the next one, and returns whether it was.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  mutating func skipSpaces() { while peek == UInt8(ascii: " ") { index += 1 } }

  mutating func skipWhitespace() {
    while peek == UInt8(ascii: " ") || peek == UInt8(ascii: "\t") { index += 1 }
  }

  /// Returns the following characters that satisfy a condition.
  mutating func text(while isIncluded: (UInt8) -> Bool) -> String {
    let start = index
    while let byte = peek, isIncluded(byte) { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  /// Parses a value without parameters.
  mutating func bareItem() throws(StructuredFieldError) -> BareItem {
    guard let first = peek else { throw fault(.endOfText) }
    switch first {
    case UInt8(ascii: "-"), 0x30...0x39: return try number()
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: ":"): return .bytes(try byteSequence())
    case UInt8(ascii: "?"): return .boolean(try boolean())
    case UInt8(ascii: "@"): return .date(try date())
    case UInt8(ascii: "%"): return .displayString(try displayString())
    case 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "*"): return .token(text(while: Self.isInToken))
    default: throw fault(.item)
    }
  }

  private mutating func number() throws(StructuredFieldError) -> BareItem {
    let start = index
    let isNegative = take("-")
    guard let whole = digits(atMost: 15) else { throw fault(.number) }
    let wholeCount = index - start - (isNegative ? 1 : 0)
    guard take(".") else { return .integer(isNegative ? -whole : whole) }
    let point = index
    guard wholeCount <= 12, let fraction = digits(atMost: 3) else { throw fault(.number) }
    var thousandths = fraction
    for _ in index - point..<3 { thousandths *= 10 }
    thousandths += whole * 1_000
    return .decimal(thousandths: isNegative ? -thousandths : thousandths)
  }

  /// Parses one to `limit` digits; nil for none or more.
  private mutating func digits(atMost limit: Int) -> Int64? {
    var number: Int64 = 0
    var count = 0
    while let byte = peek, (0x30...0x39).contains(byte) {
      guard count < limit else { return nil }
      number = number * 10 + Int64(byte - 0x30)
      count += 1
      index += 1
    }
    return count > 0 ? number : nil
  }

  private mutating func string() throws(StructuredFieldError) -> String {
    index += 1
    var content: [UInt8] = []
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        return String(decoding: content, as: UTF8.self)
      case UInt8(ascii: "\\"):
        index += 1
        guard let escaped = peek, escaped == UInt8(ascii: "\\") || escaped == UInt8(ascii: "\"") else {
          throw fault(.escape)
        }
        content.append(escaped)
      case 0x20...0x7E: content.append(byte)
      default: throw fault(.string)
      }
      index += 1
    }
    throw fault(.string)
  }

  private mutating func byteSequence() throws(StructuredFieldError) -> [UInt8] {
    let start = index + 1
    guard let end = bytes[start...].firstIndex(of: UInt8(ascii: ":")),
      let content = Base64.decode(bytes[start..<end])
    else { throw fault(.base64) }
    index = end + 1
    return content
  }

  private mutating func boolean() throws(StructuredFieldError) -> Bool {
    index += 1
    if take("1") { return true }
    guard take("0") else { throw fault(.boolean) }
    return false
  }

  private mutating func date() throws(StructuredFieldError) -> Int64 {
    index += 1
    guard peek.map({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }) == true,
      case .integer(let seconds) = try number()
    else { throw fault(.date) }
    return seconds
  }

  private mutating func displayString() throws(StructuredFieldError) -> String {
    index += 1
    guard take("\"") else { throw fault(.displayString) }
    var content: [UInt8] = []
    while let byte = peek {
      index += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = String(validating: content, as: UTF8.self) else { throw fault(.displayString) }
        return text
      case UInt8(ascii: "%"):
        guard index + 1 < bytes.count, let high = Self.digit(bytes[index]),
          let low = Self.digit(bytes[index + 1])
        else { throw fault(.displayString) }
        content.append(high << 4 | low)
        index += 2
      case 0x20...0x7E: content.append(byte)
      default: throw fault(.displayString)
      }
    }
    throw fault(.displayString)
  }

  /// The value of a lower-case hexadecimal digit.
  private static func digit(_ character: UInt8) -> UInt8? {
    switch character {
    case 0x30...0x39: character - 0x30
    case 0x61...0x66: character - 0x61 + 10
    default: nil
    }
  }

  /// Whether a character may occur in a token after its first one: those of RFC 9110, section 5.6.2, and two
  /// more.
  private static func isInToken(_ byte: UInt8) -> Bool {
    MediaTypeSyntax.isTokenByte(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "/")
  }
}
