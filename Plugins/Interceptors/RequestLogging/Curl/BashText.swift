/// Quotes arbitrary bytes for bash, on one line.
enum BashText {
  private static let safe = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-".utf8)

  /// Returns the bytes as one quoted word.
  ///
  /// The bytes must not contain a zero, because no argument can. If plain quotes aren't enough, `$'…'` with
  /// escapes is used; there `!` is escaped too, for shells with history expansion.
  static func word(_ bytes: [UInt8]) -> String {
    if !bytes.isEmpty, bytes.allSatisfy(safe.contains) { return String(decoding: bytes, as: UTF8.self) }
    let isPlain = bytes.allSatisfy { (0x20...0x7E).contains($0) && $0 != quote && $0 != backslash }
    if isPlain { return "'\(String(decoding: bytes, as: UTF8.self))'" }
    return "$'"
      + written(bytes) { byte in
        switch byte {
        case quote: "\\'"
        case backslash: "\\\\"
        case UInt8(ascii: "\n"): "\\n"
        case UInt8(ascii: "\r"): "\\r"
        case UInt8(ascii: "\t"): "\\t"
        case UInt8(ascii: "!"), 0...0x1F, 0x7F...: "\\x" + digits(byte, radix: 16, count: 2)
        default: nil
        }
      } + "'"
  }

  /// Returns the text as one quoted word.
  static func word(_ text: String) -> String { word(Array(text.utf8)) }

  /// Returns a `printf` format that prints the bytes, including zeros.
  static func printfFormat(_ bytes: [UInt8]) -> String {
    "'"
      + written(bytes) { byte in
        switch byte {
        case UInt8(ascii: "%"): "%%"
        case backslash: "\\\\"
        case quote, 0...0x1F, 0x7F...: "\\" + digits(byte, radix: 8, count: 3)
        default: nil
        }
      } + "'"
  }

  private static let quote = UInt8(ascii: "'")
  private static let backslash = UInt8(ascii: "\\")

  /// Returns the bytes with escapes applied, except to bytes that are part of a readable character.
  private static func written(_ bytes: [UInt8], escape: (UInt8) -> String?) -> String {
    var text = ""
    text.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] >= 0x80, let scalar = readableScalar(bytes[index...]) {
        text.unicodeScalars.append(scalar)
        index += UTF8.width(scalar)
        continue
      }
      if let escaped = escape(bytes[index]) {
        text += escaped
      } else {
        text.unicodeScalars.append(Unicode.Scalar(bytes[index]))
      }
      index += 1
    }
    return text
  }

  /// The scalar at the start of the bytes, if it is visible and doesn't change the text direction.
  private static func readableScalar(_ bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
    var decoder = UTF8()
    var iterator = bytes.prefix(4).makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .decimalNumber, .otherSymbol,
      .mathSymbol, .currencySymbol, .dashPunctuation, .otherPunctuation, .openPunctuation, .closePunctuation,
      .initialPunctuation, .finalPunctuation:
      return scalar
    default: return nil
    }
  }

  private static func digits(_ byte: UInt8, radix: Int, count: Int) -> String {
    let digits = String(byte, radix: radix)
    return String(repeating: "0", count: count - digits.count) + digits
  }
}
