/// A type that can be read from a value of a JSON document.
///
/// Strings, Booleans, numbers, arrays and dictionaries are, and an enumeration with such raw values is by
/// declaration alone. Conform a type of an app's own to read it by its fields:
///
/// ```
/// struct House: JSONReadable {
///   static let price = JSONField<Int>("asking_price")
///   let price: Int
///
///   init(json: JSONDocument) throws { price = try json[Self.price] }
/// }
/// let houses = try document[JSONField<[House]>("houses")]
/// ```
package protocol JSONReadable {
  /// Reads a value.
  ///
  /// - Throws: ``JSONDocument/mismatch(_:)`` if the value is not of this type.
  init(json: JSONDocument) throws
}

extension JSONDocument: JSONReadable {
  /// Creates the value itself, for fields of any type.
  package init(json: JSONDocument) { self = json }
}

extension String: JSONReadable {
  /// Reads a string, with its escapes removed.
  package init(json: JSONDocument) throws {
    guard json.kind == .string else { throw json.mismatch("should be a string, but is \(json.found)") }
    self = json.table.text(of: json.node)
  }
}

extension Bool: JSONReadable {
  /// Reads `true` or `false`.
  package init(json: JSONDocument) throws {
    guard json.kind == .boolean else { throw json.mismatch("should be a Boolean, but is \(json.found)") }
    self = json.table.bytes[Int(json.table.nodes[json.node].start)] == UInt8(ascii: "t")
  }
}

extension Array: JSONReadable where Element: JSONReadable {
  /// Reads an array.
  package init(json: JSONDocument) throws {
    guard json.kind == .array else { throw json.mismatch("should be an array, but is \(json.found)") }
    self = []
    let end = json.table.node(after: json.node)
    var place = json.node + 1
    while place < end {
      append(try Element(json: JSONDocument(table: json.table, node: place)))
      place = json.table.node(after: place)
    }
  }
}

extension Dictionary: JSONReadable where Key == String, Value: JSONReadable {
  /// Reads an object whose values are of one type.
  package init(json: JSONDocument) throws {
    guard json.kind == .object else { throw json.mismatch("should be an object, but is \(json.found)") }
    self = [:]
    let end = json.table.node(after: json.node)
    var place = json.node + 1
    while place < end {
      let key = json.table.text(of: place)
      if self[key] == nil { self[key] = try Value(json: JSONDocument(table: json.table, node: place + 1)) }
      place = json.table.node(after: place + 1)
    }
  }
}

extension JSONReadable where Self: RawRepresentable, RawValue: JSONReadable {
  /// Reads a raw value.
  package init(json: JSONDocument) throws {
    guard let value = Self(rawValue: try RawValue(json: json)) else {
      throw json.mismatch("has a value that its type does not allow")
    }
    self = value
  }
}

extension JSONReadable where Self: FixedWidthInteger {
  /// Reads a number without a fraction, such as `7`, `7.0` or `7e2`, that this type can represent.
  package init(json: JSONDocument) throws {
    guard json.kind == .number else { throw json.mismatch("should be \(Self.self), but is \(json.found)") }
    guard let value = Self.digits(of: json) ?? Self.exact(json) else {
      throw json.mismatch("has a value that its type does not allow")
    }
    self = value
  }

  /// Returns the value of a number written as an integer, or nil.
  private static func digits(of json: JSONDocument) -> Self? {
    let node = json.table.nodes[json.node]
    let bytes = json.table.bytes
    let isNegative = bytes[Int(node.start)] == UInt8(ascii: "-")
    var value: Self = 0
    for place in (Int(node.start) + (isNegative ? 1 : 0))..<Int(node.end) {
      let digit = bytes[place] &- UInt8(ascii: "0")
      guard digit < 10, let next = value.appending(digit, isNegative: isNegative) else { return nil }
      value = next
    }
    return value
  }

  /// Returns the value of a number with a fraction or an exponent, or nil.
  private static func exact(_ json: JSONDocument) -> Self? {
    // The digits are read as they are, because the nearest Double may be another number.
    let node = json.table.nodes[json.node]
    let text = json.table.bytes[Int(node.start)..<Int(node.end)]
    let exponentStart =
      text.firstIndex { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") } ?? text.endIndex
    let mantissa = text[..<exponentStart]
    guard let lastDigit = mantissa.lastIndex(where: { (0x31...0x39).contains($0) }) else { return 0 }
    let point = mantissa.firstIndex(of: UInt8(ascii: ".")) ?? mantissa.endIndex
    // The number of decimal places without zeros at the end; negative if the integer part ends with zeros.
    let places = lastDigit > point ? lastDigit - point : lastDigit - point + 1
    let zeros = exponent(text[exponentStart...]) - places
    guard zeros >= 0 else { return nil }

    let isNegative = text.first == UInt8(ascii: "-")
    var value: Self = 0
    for byte in mantissa[...lastDigit] where (0x30...0x39).contains(byte) {
      guard let next = value.appending(byte - 0x30, isNegative: isNegative) else { return nil }
      value = next
    }
    // It ends after a few zeros, because the value is not 0 and overflows.
    for _ in 0..<zeros {
      guard let next = value.appending(0, isNegative: isNegative) else { return nil }
      value = next
    }
    return value
  }

  private static func exponent(_ text: ArraySlice<UInt8>) -> Int {
    var value = 0
    for byte in text where (0x30...0x39).contains(byte) {
      // A greater one than the length of any document makes no difference.
      value = Swift.min(value * 10 + Int(byte - 0x30), 1 << 40)
    }
    return text.contains(UInt8(ascii: "-")) ? -value : value
  }

  /// Returns the value with a decimal digit appended, or nil if this type cannot represent it.
  private func appending(_ digit: UInt8, isNegative: Bool) -> Self? {
    let (product, overflows) = multipliedReportingOverflow(by: 10)
    let (sum, exceeds) =
      isNegative
      ? product.subtractingReportingOverflow(Self(digit)) : product.addingReportingOverflow(Self(digit))
    return overflows || exceeds ? nil : sum
  }
}

extension JSONReadable where Self: BinaryFloatingPoint & LosslessStringConvertible {
  /// Reads a number, rounded to the nearest one that this type can represent; one beyond its range is
  /// refused.
  package init(json: JSONDocument) throws {
    guard json.kind == .number else { throw json.mismatch("should be \(Self.self), but is \(json.found)") }
    guard let value = Self(json.digits), value.isFinite else {
      throw json.mismatch("has a value that its type does not allow")
    }
    self = value
  }
}

extension JSONDocument {
  fileprivate var digits: String { table.text(of: node) }
}

extension Int: JSONReadable {}
extension Int8: JSONReadable {}
extension Int16: JSONReadable {}
extension Int32: JSONReadable {}
extension Int64: JSONReadable {}
extension UInt: JSONReadable {}
extension UInt8: JSONReadable {}
extension UInt16: JSONReadable {}
extension UInt32: JSONReadable {}
extension UInt64: JSONReadable {}
extension Float: JSONReadable {}
extension Double: JSONReadable {}
