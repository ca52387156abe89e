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
  private struct Index: CodingKey {
    let intValue: Int?
    var stringValue: String { "\(intValue ?? 0)" }

    init(_ index: Int) { intValue = index }
    init?(intValue: Int) { self.init(intValue) }
    init?(stringValue: String) { return nil }
  }

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
    return encoder.nested(Index(count))
  }
}

/// Encodes a single value, such as the raw value of an enumeration.
struct QueryValueContainer: SingleValueEncodingContainer {
  let encoder: QueryFieldEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  mutating func encodeNil() throws {}

  mutating func encode<T: Encodable>(_ value: T) throws { try encoder.encode(value) }
}
