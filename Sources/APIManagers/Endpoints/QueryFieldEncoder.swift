import BodyFormats

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Encodes a flat `Encodable` value as the fields of a query.
struct QueryFieldEncoder: Encoder {
  /// The fields encoded so far; a class, because the containers of one encoding share it.
  final class Storage {
    var fields: [QueryField] = []
  }

  let storage: Storage
  let name: String?
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Returns the fields of a value, in the order in which the value encodes them.
  static func fields(of value: some Encodable) throws(ParamsError) -> [QueryField] {
    let storage = Storage()
    do {
      try value.encode(to: QueryFieldEncoder(storage: storage, name: nil, codingPath: []))
    } catch let error as ParamsError {
      throw error
    } catch {
      throw ParamsError(
        "The params cannot be encoded as a query: their encode(to:) threw \(type(of: error)); correct it.")
    }
    return storage.fields
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(QueryKeyedContainer<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { QueryListContainer(encoder: self) }

  func singleValueContainer() -> any SingleValueEncodingContainer { QueryValueContainer(encoder: self) }

  func nested(_ key: some CodingKey) -> QueryFieldEncoder {
    QueryFieldEncoder(storage: storage, name: name ?? key.stringValue, codingPath: codingPath + [key])
  }

  /// Encodes one value, directly if it is a scalar, and otherwise by its own encoding.
  func encode(_ value: some Encodable) throws {
    switch value {
    case let date as Date: try append(date.formatted(.iso8601))
    case let url as URL: try append(url.absoluteString)
    case let text as String: try append(text)
    case let flag as Bool: try append(flag ? "true" : "false")
    case let number as any BinaryInteger: try append("\(number)")
    case let number as Double: try append(number, isFinite: number.isFinite)
    case let number as Float: try append(number, isFinite: number.isFinite)
    default: try value.encode(to: self)
    }
  }

  /// The error for a value that cannot be represented in a query.
  var unsupportedValue: ParamsError {
    ParamsError(
      field: FieldPath.text(codingPath),
      "a query can hold only texts, numbers and arrays of them; use .json, or provide the fields with query(_:)."
    )
  }

  private func append(_ number: some BinaryFloatingPoint & CustomStringConvertible, isFinite: Bool) throws {
    guard isFinite else {
      throw ParamsError(
        field: FieldPath.text(codingPath), "\(number) is not a finite number; send a finite one.")
    }
    try append(number.description)
  }

  private func append(_ value: String) throws {
    guard let name else { throw unsupportedValue }
    storage.fields.append(QueryField(name, value))
  }
}

/// Encodes the fields of an object; only the outermost object can be represented in a query.
struct QueryKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: QueryFieldEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  mutating func encodeNil(forKey key: Key) throws {}

  mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    guard encoder.name == nil else { throw encoder.unsupportedValue }
    try encoder.nested(key).encode(value)
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    encoder.nested(key).container(keyedBy: keyType)
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.nested(key).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { encoder }

  mutating func superEncoder(forKey key: Key) -> any Encoder { encoder.nested(key) }
}

/// Encodes the elements of an array, each as a field with the array's name.
struct QueryListContainer: UnkeyedEncodingContainer {
  let encoder: QueryFieldEncoder
  private(set) var count = 0
  var codingPath: [any CodingKey] { encoder.codingPath }

  init(encoder: QueryFieldEncoder) { self.encoder = encoder }

  mutating func encodeNil() throws { count += 1 }

  mutating func encode<T: Encodable>(_ value: T) throws {
    let member = nextMember()
    // Nested arrays could not be told apart.
    guard encoder.name != nil, codingPath.last?.intValue == nil else { throw encoder.unsupportedValue }
    try member.encode(value)
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    nextMember().container(keyedBy: keyType)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nextMember().unkeyedContainer() }

  mutating func superEncoder() -> any Encoder { nextMember() }

  private mutating func nextMember() -> QueryFieldEncoder {
    defer { count += 1 }
    return encoder.nested(IndexKey(count))
  }
}

/// Encodes a single value, such as the raw value of an enumeration.
struct QueryValueContainer: SingleValueEncodingContainer {
  let encoder: QueryFieldEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  mutating func encodeNil() throws {}

  mutating func encode<T: Encodable>(_ value: T) throws { try encoder.encode(value) }
}
