/// The fields of an object.
struct LocatingKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let base: KeyedDecodingContainer<Key>
  var codingPath: [any CodingKey] { base.codingPath }
  var allKeys: [Key] { base.allKeys }

  func contains(_ key: Key) -> Bool { base.contains(key) }

  func decodeNil(forKey key: Key) throws -> Bool { try base.decodeNil(forKey: key) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try LocatingValue.decode(
      codingPath + [key], { try base.decode(type, forKey: key) },
      { try base.decode(LocatingValue<Value>.self, forKey: key) })
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    KeyedDecodingContainer(
      LocatingKeyedContainer<NestedKey>(base: try base.nestedContainer(keyedBy: type, forKey: key)))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    LocatingUnkeyedContainer(base: try base.nestedUnkeyedContainer(forKey: key))
  }

  func superDecoder() throws -> any Decoder { LocatingDecoder(base: try base.superDecoder()) }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    LocatingDecoder(base: try base.superDecoder(forKey: key))
  }
}

/// The elements of an array.
struct LocatingUnkeyedContainer: UnkeyedDecodingContainer {
  private struct Index: CodingKey {
    let intValue: Int?
    var stringValue: String { "\(intValue ?? 0)" }

    init(_ index: Int) { intValue = index }
    init?(intValue: Int) { self.init(intValue) }
    init?(stringValue: String) { return nil }
  }

  var base: any UnkeyedDecodingContainer
  var codingPath: [any CodingKey] { base.codingPath }
  var count: Int? { base.count }
  var isAtEnd: Bool { base.isAtEnd }
  var currentIndex: Int { base.currentIndex }

  init(base: any UnkeyedDecodingContainer) { self.base = base }

  mutating func decodeNil() throws -> Bool { try base.decodeNil() }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let place = codingPath + [Index(currentIndex)]
    var base = base
    defer { self.base = base }
    return try LocatingValue.decode(
      place, { try base.decode(type) }, { try base.decode(LocatingValue<Value>.self) })
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    KeyedDecodingContainer(LocatingKeyedContainer<NestedKey>(base: try base.nestedContainer(keyedBy: type)))
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    LocatingUnkeyedContainer(base: try base.nestedUnkeyedContainer())
  }

  mutating func superDecoder() throws -> any Decoder { LocatingDecoder(base: try base.superDecoder()) }
}

/// A single value, which may be the whole content.
struct LocatingSingleValueContainer: SingleValueDecodingContainer {
  let base: any SingleValueDecodingContainer
  var codingPath: [any CodingKey] { base.codingPath }

  func decodeNil() -> Bool { base.decodeNil() }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    do {
      return try base.decode(type)
    } catch {
      throw LocatingValue<Value>.located(error, at: codingPath)
    }
  }
}
