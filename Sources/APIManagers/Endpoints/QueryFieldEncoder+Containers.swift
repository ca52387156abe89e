/// Takes the fields of an object; only the outermost object has a form in a query.
struct QueryKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: QueryFieldEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  mutating func encodeNil(forKey key: Key) throws {}

  mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    guard encoder.name == nil else { throw encoder.refusal }
    try encoder.nested(key).put(value)
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

/// Takes the members of a list: each becomes a field of the list's name.
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
    // A list within a list would lose where one ends and the next begins.
    guard encoder.name != nil, codingPath.last?.intValue == nil else { throw encoder.refusal }
    try member.put(value)
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

/// Takes a single value, such as an enum's raw value.
struct QueryValueContainer: SingleValueEncodingContainer {
  let encoder: QueryFieldEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  mutating func encodeNil() throws {}

  mutating func encode<T: Encodable>(_ value: T) throws { try encoder.put(value) }
}
