/// Encodes the properties of a route as the texts of its placeholders.
struct RouteEncoder: Encoder {
  /// What has been encoded so far; a class, because containers are values that write to it.
  final class Output {
    /// The texts of each property.
    var texts: [String: [String]] = [:]
    /// The first fault of a container that could not throw it.
    var fault: RouteError?
  }

  let output = Output()
  /// The property that is encoded; nil for the route itself.
  private var name: String?
  private var depth = 0
  /// Whether the value is an element of a list.
  private var isElement = false

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if let name { output.fault = output.fault ?? Unwritable.nested.error(name) }
    return KeyedEncodingContainer(Properties<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if isElement, let name { output.fault = output.fault ?? Unwritable.nested.error(name) }
    var encoder = self
    encoder.isElement = true
    return Values(encoder: encoder)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { Values(encoder: self) }

  /// Appends the texts of a value to those of the property.
  private func append(_ value: some Encodable) throws {
    guard let name else { throw UnnamedPropertiesError() }
    switch value {
    case let value as any RouteValue: output.texts[name, default: []].append(value.routeText)
    case let value as any FixedWidthInteger: output.texts[name, default: []].append(value.description)
    case let value as Float: output.texts[name, default: []].append(value.description)
    default:
      if depth == PropertyDecoder.maximumDepth { throw Unwritable.deep.error(name) }
      var inner = self
      inner.depth += 1
      try value.encode(to: inner)
    }
  }

  private func property(_ name: String) -> RouteEncoder {
    var property = self
    property.name = name
    return property
  }

  /// The properties of a route by name.
  private struct Properties<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: RouteEncoder
    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil(forKey key: Key) throws {}

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
      if let name = encoder.name { throw Unwritable.nested.error(name) }
      // An empty list leaves out its placeholder.
      encoder.output.texts[key.stringValue] = []
      try encoder.property(key.stringValue).append(value)
    }

    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { encoder.property(key.stringValue).container(keyedBy: type) }
    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      encoder.property(key.stringValue).unkeyedContainer()
    }
    mutating func superEncoder() -> any Encoder { encoder.property("super") }
    mutating func superEncoder(forKey key: Key) -> any Encoder { encoder.property(key.stringValue) }
  }

  /// The value or the values of one property.
  private struct Values: UnkeyedEncodingContainer, SingleValueEncodingContainer {
    let encoder: RouteEncoder
    var codingPath: [any CodingKey] { [] }
    var count: Int { encoder.name.map { encoder.output.texts[$0]?.count ?? 0 } ?? 0 }

    mutating func encodeNil() throws {
      if encoder.isElement, let name = encoder.name { throw Unwritable.absentElement.error(name) }
    }

    mutating func encode<Value: Encodable>(_ value: Value) throws { try encoder.append(value) }

    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> { encoder.container(keyedBy: type) }
    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { encoder }
  }
}
