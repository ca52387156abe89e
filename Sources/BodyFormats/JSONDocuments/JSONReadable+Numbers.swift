extension JSONReadable where Self: FixedWidthInteger {
  /// Reads a number without a fraction, such as `7`, `7.0` or `7e2`, that this type can represent.
  public init(json: JSONDocument) throws {
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
      guard digit < 10 else { return nil }
      let (product, overflows) = value.multipliedReportingOverflow(by: 10)
      let (sum, exceeds) =
        isNegative
        ? product.subtractingReportingOverflow(Self(digit)) : product.addingReportingOverflow(Self(digit))
      if overflows || exceeds { return nil }
      value = sum
    }
    return value
  }

  /// Returns the value of a number with a fraction or an exponent, or nil.
  private static func exact(_ json: JSONDocument) -> Self? {
    // From 2^53 on, a Double may be another number than the digits say.
    guard json.hasFractionOrExponent, let value = Double(json.digits), value.magnitude < 0x1p53 else {
      return nil
    }
    return Self(exactly: value)
  }
}

extension JSONReadable where Self: BinaryFloatingPoint & LosslessStringConvertible {
  /// Reads a number, rounded to the nearest one that this type can represent; one beyond its range is
  /// refused.
  public init(json: JSONDocument) throws {
    guard json.kind == .number else { throw json.mismatch("should be \(Self.self), but is \(json.found)") }
    guard let value = Self(json.digits), value.isFinite else {
      throw json.mismatch("has a value that its type does not allow")
    }
    self = value
  }
}

extension JSONDocument {
  fileprivate var digits: String { table.text(of: node) }

  fileprivate var hasFractionOrExponent: Bool {
    let node = table.nodes[node]
    return table.bytes[Int(node.start)..<Int(node.end)].contains { $0 == UInt8(ascii: ".") || $0 >= 0x45 }
  }
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
