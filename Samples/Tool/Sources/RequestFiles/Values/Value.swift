/// A value of a query, a variable or a predicate.
package enum Value: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int)
  /// An integer outside the range of `Int`, by its digits.
  case bigInteger(String)
  case float(Double)
  case text(String)
  case bytes([UInt8])
  case date(Moment)
  case list([Value])
  /// The members in the order of the text; a name that occurs again replaces the earlier one.
  case object([Member])

  /// A member of an object.
  package struct Member: Sendable, Hashable {
    let name: String
    let value: Value
  }

  /// Creates the value of a variable on the command line: a number, a Boolean, null, or a text, which quotes
  /// force.
  package init(variable text: String) {
    if text.count >= 2, text.first == "\"", text.last == "\"" {
      self = .text(String(text.dropFirst().dropLast()))
    } else {
      switch text {
      case "true": self = .bool(true)
      case "false": self = .bool(false)
      case "null": self = .null
      default: self = Self.number(text) ?? .text(text)
      }
    }
  }

  /// Returns a number in the syntax of JSON; nil for other texts.
  static func number(_ text: String) -> Value? {
    var rest = text.utf8[...]
    if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    let isDigit: (UInt8) -> Bool = { (0x30...0x39).contains($0) }
    let whole = rest.prefix(while: isDigit)
    guard !whole.isEmpty, whole.count == 1 || whole.first != UInt8(ascii: "0") else { return nil }
    rest = rest.dropFirst(whole.count)
    guard !rest.isEmpty else {
      return Int(text).map { .integer($0) } ?? .bigInteger(text)
    }
    if rest.first == UInt8(ascii: ".") {
      let digits = rest.dropFirst().prefix(while: isDigit)
      guard !digits.isEmpty else { return nil }
      rest = rest.dropFirst(1 + digits.count)
    }
    if let first = rest.first, first | 0x20 == UInt8(ascii: "e") {
      rest = rest.dropFirst()
      if let sign = rest.first, "+-".utf8.contains(sign) { rest = rest.dropFirst() }
      let digits = rest.prefix(while: isDigit)
      guard !digits.isEmpty else { return nil }
      rest = rest.dropFirst(digits.count)
    }
    guard rest.isEmpty, let number = Double(text), number.isFinite else { return nil }
    return .float(number)
  }

  /// The word for a kind of value in messages.
  var kindName: String {
    switch self {
    case .null: "null"
    case .bool: "a Boolean"
    case .integer, .bigInteger: "an integer"
    case .float: "a float"
    case .text: "a string"
    case .bytes: "bytes"
    case .date: "a date"
    case .list: "a list"
    case .object: "an object"
    }
  }

  /// The text that a placeholder is replaced with; nil for bytes that are not UTF-8.
  var rendered: String? {
    switch self {
    case .text(let text): text
    case .bytes(let bytes): String(validating: bytes, as: UTF8.self)
    case .date(let moment): moment.isoText
    default: JSONText.text(of: self)
    }
  }

  /// The value in messages: texts in quotes, and at most 200 characters.
  package var shown: String {
    let text =
      switch self {
      case .bytes(let bytes): "hex,\(Hexadecimal.text(bytes.prefix(100)))\(bytes.count > 100 ? "…" : "");"
      case .date(let moment): moment.isoText
      default: JSONText.text(of: self)
      }
    return text.count > 200 ? "\(text.prefix(200))…" : text
  }

  /// Whether two values are equal; numbers are compared by value, and objects without regard to the order of
  /// their members.
  func equals(_ other: Value) -> Bool {
    switch (self, other) {
    case (.list(let left), .list(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { $0.equals($1) }
    case (.object(let left), .object(let right)):
      guard left.count == right.count else { return false }
      var members = Dictionary(uniqueKeysWithValues: right.map { ($0.name, $0.value) })
      return left.allSatisfy { members.removeValue(forKey: $0.name)?.equals($0.value) == true }
    default:
      return order(to: other) == .same || (order(to: other) == nil && self == other)
    }
  }

  /// How two values are ordered.
  enum Order {
    case ascending
    case same
    case descending
  }

  /// Returns the order of two numbers, texts or dates; nil for other kinds.
  func order(to other: Value) -> Order? {
    switch (self, other) {
    case (.text(let left), .text(let right)):
      // By scalars, because Swift's order depends on normalization.
      let (left, right) = (left.unicodeScalars, right.unicodeScalars)
      if left.elementsEqual(right) { return .same }
      return left.lexicographicallyPrecedes(right) ? .ascending : .descending
    case (.date(let left), .date(let right)): return Self.order(left, right)
    case (.integer(let left), .integer(let right)): return Self.order(left, right)
    case (.float(let left), .float(let right)): return Self.order(left, right)
    case (.integer(let left), .float(let right)): return Self.order(left, right)
    case (.float, .integer): return other.order(to: self)?.reversed
    case (.bigInteger(let left), .bigInteger(let right)): return Self.order(digits: left, right)
    case (.bigInteger(let digits), .integer), (.bigInteger(let digits), .float):
      if case .float(let number) = other, let left = Double(digits), abs(number) >= 9.2e18 {
        return Self.order(left, number)
      }
      return digits.hasPrefix("-") ? .ascending : .descending
    case (.integer, .bigInteger), (.float, .bigInteger): return other.order(to: self)?.reversed
    default: return nil
    }
  }

  /// Orders an integer and a float exactly, where a conversion would round.
  private static func order(_ left: Int, _ right: Double) -> Order {
    if right >= 9.3e18 { return .ascending }
    if right <= -9.3e18 { return .descending }
    guard let whole = Int(exactly: right.rounded(.down)) else { return right > 0 ? .ascending : .descending }
    let result = order(left, whole)
    return result == .same && right > right.rounded(.down) ? .ascending : result
  }

  private static func order(digits left: String, _ right: String) -> Order {
    let (isLeftNegative, isRightNegative) = (left.hasPrefix("-"), right.hasPrefix("-"))
    guard isLeftNegative == isRightNegative else { return isLeftNegative ? .ascending : .descending }
    let magnitude =
      left.utf8.count == right.utf8.count
      ? order(left, right) : order(left.utf8.count, right.utf8.count)
    return isLeftNegative ? magnitude.reversed : magnitude
  }

  private static func order<Operand: Comparable>(_ left: Operand, _ right: Operand) -> Order {
    left < right ? .ascending : left == right ? .same : .descending
  }
}

extension Value.Order {
  fileprivate var reversed: Value.Order {
    switch self {
    case .ascending: .descending
    case .same: .same
    case .descending: .ascending
    }
  }
}

/// Bytes as hexadecimal digits.
enum Hexadecimal {
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0\(digits)" : digits
    }.joined()
  }

  /// Returns the bytes of digits; nil for an odd number of them, or other characters.
  static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    let digits = text.unicodeScalars.map { $0.properties.isASCIIHexDigit ? Int(String($0), radix: 16) : nil }
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    return bytes
  }
}
