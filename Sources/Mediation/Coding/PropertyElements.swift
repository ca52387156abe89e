/// The elements of a list: the segments of a tail, or the values of a repeated query field.
struct PropertyElements: UnkeyedDecodingContainer {
  let property: PropertyDecoder
  private(set) var currentIndex = 0
  var codingPath: [any CodingKey] { [] }
  /// A probe has one element, which tells the type of all.
  var count: Int? { property.probe == nil ? property.texts.count : 1 }
  var isAtEnd: Bool { currentIndex >= count ?? 0 }

  init(property: PropertyDecoder) { self.property = property }

  mutating func decodeNil() throws -> Bool { false }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    // An element that is absent would be written as no element, and the list would be shorter when read.
    if type is any ExpressibleByNilLiteral.Type { throw Unwritable.absentElement.error(property.name) }
    // A type with a fixed number of elements reads them without asking for the count.
    let limit = property.probe == nil ? property.texts.count : RouteProbe.maximumElements
    guard currentIndex < limit else { throw RouteError.parameter(name: property.name, reason: .missing) }
    defer { currentIndex += 1 }
    let texts = property.texts
    let text = texts.indices.contains(currentIndex) ? texts[currentIndex] : texts.last
    return try property.element(text).value(type)
  }

  mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key>
  {
    throw Unwritable.nested.error(property.name)
  }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw Unwritable.nested.error(property.name)
  }
  mutating func superDecoder() throws -> any Decoder { throw Unwritable.nested.error(property.name) }
}
