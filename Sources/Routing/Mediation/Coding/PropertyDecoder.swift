/// Decodes one property of a route from the texts of its placeholder.
struct PropertyDecoder: Decoder {
  /// The maximum number of types that wrap each other around one value.
  ///
  /// A type that decodes itself from itself ends here instead of exhausting the stack.
  static let maximumDepth = 8

  let name: String
  let texts: [String]
  let isFromOutside: Bool
  let probe: RouteProbe?
  /// The number of types that wrap this value.
  private(set) var depth = 0
  /// Whether the value is an element of a list.
  private(set) var isElement = false

  init(name: String, texts: [String], isFromOutside: Bool = false, probe: RouteProbe? = nil) {
    self.name = name
    self.texts = texts
    self.isFromOutside = isFromOutside
    self.probe = probe
  }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Decodes the property as a type.
  func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let probe {
      guard let value = try probe.value(of: type, for: self) as? Value else { throw unreadable(type) }
      return value
    }
    return try convert(to: type) ?? decode(type)
  }

  /// Returns the text as a value of a type that has one text; nil if the type decodes itself.
  func convert<Value>(to type: Value.Type) throws -> Value? {
    guard let text = texts.first else {
      // A list asks for its elements itself, and there may be none.
      if type is any RouteValue.Type { throw RouteError.parameter(name: name, reason: .missing) }
      return nil
    }
    let value: Any?
    switch type {
    case let type as any RouteValue.Type: value = type.init(routeText: text)
    case let type as any FixedWidthInteger.Type: value = Self.integer(text, type)
    case is Float.Type: value = Self.float(text)
    default: return nil
    }
    guard let value = value as? Value else { throw unreadable(type) }
    if isFromOutside, texts.count > 1 { throw RouteError.parameter(name: name, reason: .repeated) }
    return value
  }

  /// Lets a type decode itself.
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if depth == Self.maximumDepth { throw Unwritable.deep.error(name) }
    var inner = self
    inner.depth += 1
    do {
      return try Value(from: inner)
    } catch let error as RouteError {
      throw error
    } catch {
      throw unreadable(type)
    }
  }

  /// Returns the same property with another text.
  func reading(_ texts: [String]) -> PropertyDecoder {
    var copy = PropertyDecoder(name: name, texts: texts, isFromOutside: isFromOutside, probe: probe)
    copy.depth = depth
    copy.isElement = isElement
    return copy
  }

  private static func integer<Value: FixedWidthInteger>(_ text: String, _ type: Value.Type) -> Value? {
    RoutePattern.ValueKind.int.matches(text) ? Value(text) : nil
  }

  private static func float(_ text: String) -> Float? {
    // The range of `Float` is smaller than that of the kind.
    guard RoutePattern.ValueKind.double.matches(text), let value = Float(text), value.isFinite else {
      return nil
    }
    return value
  }

  private func unreadable(_ type: Any.Type) -> RouteError {
    if let texts = EnumerationTexts.all(of: type) {
      return .parameter(name: name, reason: .notOfKind(.oneOf(texts)))
    }
    return .parameter(name: name, reason: .unreadable(type: String(describing: type)))
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw Unwritable.nested.error(name)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    if isElement { throw Unwritable.nested.error(name) }
    probe?.update(name) { $0.isList = true }
    return PropertyElements(property: self)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { Single(property: self) }

  /// Returns the decoder of an element of the property, which is a list.
  func element(_ text: String?) -> PropertyDecoder {
    var element = reading(text.map { [$0] } ?? [])
    element.isElement = true
    return element
  }

  /// The only value of a property, for types that wrap another one.
  private struct Single: SingleValueDecodingContainer {
    let property: PropertyDecoder
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { property.texts.isEmpty && property.probe == nil }

    // Without these, the standard library refuses the two types, here and in the other containers.
    func decode(_ type: Int128.Type) throws -> Int128 { try value(type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try value(type) }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try value(type) }

    private func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
      if property.texts.isEmpty, property.probe == nil {
        throw RouteError.parameter(name: property.name, reason: .missing)
      }
      return try property.value(type)
    }
  }
}

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

  mutating func decode(_ type: Int128.Type) throws -> Int128 { try value(type) }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try value(type) }
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try value(type) }

  private mutating func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
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
