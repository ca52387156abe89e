extension Route where Self: Decodable {
  /// Reads each property from the placeholder of the same name.
  public init(from input: RouteInput) throws(RouteError) {
    do {
      self = try Self(from: RouteDecoder(input: input))
    } catch let error as RouteError {
      throw error
    } catch {
      throw .failed(error)
    }
  }

  /// Reads the route from sample values, which tells the table the route's properties.
  public static var _probe: (@Sendable (RouteInput) throws(RouteError) -> Void)? {
    { input throws(RouteError) in _ = try Self(from: input) }
  }
}

extension Route where Self: Encodable {
  /// Writes each property to the placeholder of the same name; a property that is nil is left out.
  public func write(to output: inout RouteOutput) {
    let encoder = RouteEncoder()
    do {
      try encode(to: encoder)
    } catch let error as RouteError {
      output.fault = error
    } catch {
      output.fault = .failed(error)
    }
    if let fault = encoder.output.fault { output.fault = fault }
    for (name, texts) in encoder.output.texts { output.set(name, toRest: texts) }
  }
}

// A route without placeholders writes and reads nothing, whether it is Codable or not.
extension ParameterlessRoute where Self: Decodable {
  /// Creates the only value.
  public init(from input: RouteInput) throws(RouteError) { self.init() }

  /// Nil: there are no properties to check.
  public static var _probe: (@Sendable (RouteInput) throws(RouteError) -> Void)? { nil }
}

extension ParameterlessRoute where Self: Encodable {
  /// Writes nothing.
  public func write(to output: inout RouteOutput) {}
}

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
      let start = output.texts[name]?.count ?? 0
      try value.encode(to: inner)
      // A set lists its elements in an order that differs between equal sets and from launch to launch.
      if value is any SetAlgebra, let texts = output.texts[name] {
        let sorted = texts[start...].sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        output.texts[name]?.replaceSubrange(start..., with: sorted)
      }
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

    // Without these, the standard library refuses the two types, here and in the other containers.
    mutating func encode(_ value: Int128, forKey key: Key) throws { try append(value, key) }
    mutating func encode(_ value: UInt128, forKey key: Key) throws { try append(value, key) }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try append(value, key) }

    private func append(_ value: some Encodable, _ key: Key) throws {
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

    mutating func encode(_ value: Int128) throws { try encoder.append(value) }
    mutating func encode(_ value: UInt128) throws { try encoder.append(value) }
    mutating func encode<Value: Encodable>(_ value: Value) throws { try encoder.append(value) }

    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> { encoder.container(keyedBy: type) }
    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { encoder }
  }
}

/// Decodes a route from the parameters of a URL, one property from each placeholder.
struct RouteDecoder: Decoder {
  let input: RouteInput

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    input.probe?.use()
    return KeyedDecodingContainer(Properties<Key>(input: input))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    input.probe?.use()
    throw UnnamedPropertiesError()
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    input.probe?.use()
    throw UnnamedPropertiesError()
  }

  /// The properties of a route by name.
  private struct Properties<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let input: RouteInput

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] {
      let keys = input.pattern.parameterNames.compactMap { Key(stringValue: $0) }
      return input.probe == nil ? keys.filter { !texts($0).isEmpty } : keys
    }

    /// Returns whether the URL has a value; a route asks this only for properties that may be absent.
    func contains(_ key: Key) -> Bool { !isAbsent(key) }

    func decodeNil(forKey key: Key) throws -> Bool { isAbsent(key) }

    private func isAbsent(_ key: Key) -> Bool {
      guard let probe = input.probe else { return texts(key).isEmpty }
      probe.update(key.stringValue) { $0.isOptional = true }
      return false
    }

    /// Returns the value of a property that may be absent; nil for an empty field that the type cannot read.
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
      if isAbsent(key) { return nil }
      do {
        return try decode(type, forKey: key)
      } catch {
        guard input.probe == nil, input.isOptionalField(key.stringValue), texts(key).allSatisfy(\.isEmpty)
        else { throw error }
        return nil
      }
    }

    // Without these, the standard library refuses the two types.
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try value(type, key) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try value(type, key) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      try value(type, key)
    }

    private func value<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value {
      let name = key.stringValue
      guard let probe = input.probe else {
        return try PropertyDecoder(name: name, texts: texts(key), isFromOutside: input.isFromOutside)
          .value(type)
      }
      do {
        let value = try PropertyDecoder(name: name, texts: [], probe: probe).value(type)
        probe.checkTexts(of: type, name)
        return value
      } catch {
        throw probe.fail(error)
      }
    }

    private func texts(_ key: Key) -> [String] { (try? input.all(key.stringValue)) ?? [] }

    private func refusal(_ name: String) -> any Error {
      let error = Unwritable.nested.error(name)
      return input.probe?.fail(error) ?? error
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw refusal(key.stringValue) }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      throw refusal(key.stringValue)
    }
    func superDecoder() throws -> any Decoder { throw refusal("super") }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw refusal(key.stringValue) }
  }
}

/// The reasons why the coder has no text for the value of a property.
enum Unwritable {
  /// The value consists of several values, or of lists in a list.
  case nested
  /// An element of a list is optional.
  case absentElement
  /// Types wrap each other too often.
  case deep

  /// Returns the error for a property.
  func error(_ name: String) -> RouteError { .parameter(name: name, reason: .refused(problem)) }

  private var problem: String {
    switch self {
    case .nested:
      "no single text stands for its value; give an enumeration raw values, conform its type to RouteValue, or "
        + "use its parts as properties"
    case .absentElement: "an element of a list cannot be nil; make the elements required"
    case .deep:
      "its type is wrapped more than \(PropertyDecoder.maximumDepth) times; conform it to RouteValue"
    }
  }
}

/// Thrown for a route that codes itself as a single value or a list.
struct UnnamedPropertiesError: Error, CustomStringConvertible {
  let description = "it is coded without named properties"
}
