/// A type that can be read from a value of a JSON document.
///
/// Strings, Booleans, numbers, arrays and dictionaries are, and an enumeration with such raw values is by
/// declaration alone. Conform a type of an app's own to read it by its fields:
///
/// ```swift
/// struct House: JSONReadable {
///   static let price = JSONField<Int>("asking_price")
///   let price: Int
///
///   init(json: JSONDocument) throws { price = try json[Self.price] }
/// }
/// let houses = try document[JSONField<[House]>("houses")]
/// ```
public protocol JSONReadable {
  /// Reads a value.
  ///
  /// - Throws: ``JSONDocument/mismatch(_:)`` if the value is not of this type.
  init(json: JSONDocument) throws
}

extension JSONDocument: JSONReadable {
  /// Creates the value itself, for fields of any type.
  public init(json: JSONDocument) { self = json }
}

extension String: JSONReadable {
  /// Reads a string, with its escapes removed.
  public init(json: JSONDocument) throws {
    guard json.kind == .string else { throw json.mismatch("should be a string, but is \(json.found)") }
    self = json.table.text(of: json.node)
  }
}

extension Bool: JSONReadable {
  /// Reads `true` or `false`.
  public init(json: JSONDocument) throws {
    guard json.kind == .boolean else { throw json.mismatch("should be a Boolean, but is \(json.found)") }
    self = json.table.bytes[Int(json.table.nodes[json.node].start)] == UInt8(ascii: "t")
  }
}

extension Array: JSONReadable where Element: JSONReadable {
  /// Reads an array.
  public init(json: JSONDocument) throws {
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
  public init(json: JSONDocument) throws {
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
  public init(json: JSONDocument) throws {
    guard let value = Self(rawValue: try RawValue(json: json)) else {
      throw json.mismatch("has a value that its type does not allow")
    }
    self = value
  }
}
