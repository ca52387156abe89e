/// The kind of value a placeholder stands for.
///
/// As sets of texts: int ⊂ double ⊂ text, uuid ⊂ text, bool ⊂ text, and no other two overlap; so of two
/// placeholders at one place one is always the more specific, or they exclude each other.
public enum ValueKind: String, Sendable, Hashable, CaseIterable {
  /// `true` or `false`.
  case bool
  /// Hexadecimal digits in the form 8-4-4-4-12.
  case uuid
  /// Decimal digits, with `-` before them if negative, that fit in 64 bits.
  case int
  /// A finite decimal number: `-1`, `2.50`, `6e-3`.
  case double
  /// Any text that is not empty.
  case text

  /// The words that name this kind to a person.
  var words: String {
    switch self {
    case .bool: "“true” or “false”"
    case .uuid: "a UUID in the form 8-4-4-4-12"
    case .int: "a decimal integer of at most 64 bits"
    case .double: "a finite decimal number"
    case .text: "a text that is not empty"
    }
  }

  /// A text of this kind and of no narrower one.
  var sample: String {
    switch self {
    case .bool: "true"
    case .uuid: "00000000-0000-4000-8000-000000000000"
    case .int: "1"
    case .double: "1.5"
    case .text: "x"
    }
  }

  /// Whether every text of this kind is also of the other kind.
  func isIncluded(in other: ValueKind) -> Bool {
    self == other || other == .text || (self == .int && other == .double)
  }

  /// Whether the bytes are a text of this kind.
  func matches(_ bytes: ArraySlice<UInt8>) -> Bool {
    switch self {
    case .bool: bytes.elementsEqual("true".utf8) || bytes.elementsEqual("false".utf8)
    case .uuid: Self.isUUID(bytes)
    case .int: Self.isInteger(bytes)
    case .double: Self.isNumber(bytes)
    case .text: !bytes.isEmpty
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func isInteger(_ bytes: ArraySlice<UInt8>) -> Bool {
    let isNegative = bytes.first == UInt8(ascii: "-")
    let digits = isNegative ? bytes.dropFirst() : bytes
    guard !digits.isEmpty else { return false }
    var value: Int64 = 0
    for byte in digits {
      guard isDigit(byte) else { return false }
      let (product, tooBig) = value.multipliedReportingOverflow(by: 10)
      // Counted below zero, because the lowest integer has no positive counterpart.
      let (sum, tooFar) = product.subtractingReportingOverflow(Int64(byte - 0x30))
      if tooBig || tooFar { return false }
      value = sum
    }
    return isNegative || value != .min
  }

  private static func isNumber(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes
    func takeDigits() -> Bool {
      let digits = rest.prefix(while: isDigit)
      rest = rest.dropFirst(digits.count)
      return !digits.isEmpty
    }
    guard takeDigits() else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      guard takeDigits() else { return false }
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest = rest.dropFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
      guard takeDigits() else { return false }
    }
    guard rest.isEmpty, let value = Double(String(decoding: bytes, as: UTF8.self)) else { return false }
    return value.isFinite
  }

  private static func isUUID(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count == 36 else { return false }
    for (position, byte) in bytes.enumerated() {
      switch position {
      case 8, 13, 18, 23: if byte != UInt8(ascii: "-") { return false }
      default: if PercentEncoding.digit(byte) == nil { return false }
      }
    }
    return true
  }
}
