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

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
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
