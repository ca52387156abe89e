#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension FormFields {
  /// Creates the fields of a flat value, in the order in which it encodes them.
  ///
  /// A nil is omitted, and an array becomes one field for each element. The elements of a set are in the
  /// order of their text, the fields of a dictionary in that of their names.
  ///
  /// - Throws: ``FormEncodingError`` for a value that a form can't represent; otherwise what the value's
  ///   `encode(to:)` throws.
  package init(encoding value: some Encodable, omitting omitted: Set<String> = []) throws {
    let encoder = FormEncoder(omitting: omitted)
    try encoder.encode(value, to: encoder)
    self = encoder.fields
  }
}

/// The error of a value that a query or form can't represent.
package enum FormEncodingError: Error, Sendable, Hashable {
  /// The field is an object, or a list within a list.
  case nested(field: String?)
  /// The field is a number that isn't finite, with this text.
  case infinite(field: String?, String)
}

/// Encodes a flat value as fields.
///
/// It is a class, which the containers of one encoding share, and the encoder of the outermost object.
private final class FormEncoder: Encoder {
  private(set) var fields = FormFields()
  private let omitted: Set<String>

  init(omitting omitted: Set<String>) { self.omitted = omitted }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(FormKeyedContainer<Key>(encoder: self, outer: nil))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { place.unkeyedContainer() }

  func singleValueContainer() -> any SingleValueEncodingContainer { place.singleValueContainer() }

  private var place: FormPlace { FormPlace(encoder: self, name: nil, codingPath: []) }

  /// Lets a value encode itself, and sorts the fields if their order depends on hash values.
  func encode(_ value: some Encodable, to place: some Encoder) throws {
    let start = fields.bytes.count
    try value.encode(to: place)
    if value is any HashOrdered { fields.sort(from: start, byValue: value is any SetAlgebra) }
  }

  func append(_ value: String, named name: String) {
    if omitted.isEmpty || !omitted.contains(name) { fields.append(name, value) }
  }

  func append(_ number: some FixedWidthInteger, named name: String) {
    if omitted.isEmpty || !omitted.contains(name) { fields.append(name, number) }
  }
}

/// The place of a value within the params, and the encoder of what it consists of.
private struct FormPlace: Encoder {
  let encoder: FormEncoder
  /// The name of the field; nil for the params as a whole.
  let name: String?
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(FormKeyedContainer<Key>(encoder: encoder, outer: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { FormListContainer(place: self) }

  func singleValueContainer() -> any SingleValueEncodingContainer { FormValueContainer(place: self) }

  func nested(_ key: some CodingKey) -> FormPlace {
    FormPlace(encoder: encoder, name: name ?? key.stringValue, codingPath: codingPath + [key])
  }

  /// Encodes one value, directly if it is one that JSON has as a single value, with the same text, and
  /// otherwise by its own encoding.
  func encode(_ value: some Encodable) throws {
    switch value {
    case let date as Date: try append(date.formatted(.iso8601))
    case let url as URL: try append(url.absoluteString)
    case let text as String: try append(text)
    case let flag as Bool: try append(flag ? "true" : "false")
    case let number as any BinaryInteger: try append("\(number)")
    case let number as Double: try append(Self.text(number, at: codingPath))
    case let number as Float: try append(Self.text(number, at: codingPath))
    case let number as Decimal: try append(Self.text(number, at: codingPath))
    case let data as Data: try append(data.base64EncodedString())
    default: try encoder.encode(value, to: self)
    }
  }

  /// The error for a value that cannot be represented in a query.
  var unsupportedValue: FormEncodingError {
    .nested(field: FieldPath.text(codingPath))
  }

  /// Returns a number as text.
  static func text(
    _ number: some BinaryFloatingPoint & CustomStringConvertible, at path: @autoclosure () -> [any CodingKey]
  ) throws -> String {
    try text(number, isFinite: number.isFinite, at: path())
  }

  /// Returns a decimal number as text.
  static func text(_ number: Decimal, at path: @autoclosure () -> [any CodingKey]) throws -> String {
    try text(number, isFinite: number.isFinite, at: path())
  }

  private static func text(
    _ number: some CustomStringConvertible, isFinite: Bool, at path: @autoclosure () -> [any CodingKey]
  ) throws -> String {
    guard isFinite else {
      throw FormEncodingError.infinite(field: FieldPath.text(path()), number.description)
    }
    return number.description
  }

  private func append(_ value: String) throws {
    guard let name else { throw unsupportedValue }
    encoder.append(value, named: name)
  }
}

/// Encodes the fields of an object; only the outermost object can be represented in a query.
private struct FormKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: FormEncoder
  /// The place of the object; nil for the params as a whole.
  let outer: FormPlace?
  var codingPath: [any CodingKey] { outer?.codingPath ?? [] }

  /// Returns the name of a field, which only the params as a whole have.
  private func name(_ key: Key) throws -> String {
    if let outer, outer.name != nil { throw outer.unsupportedValue }
    return key.stringValue
  }

  private func nested(_ key: some CodingKey) -> FormPlace {
    (outer ?? FormPlace(encoder: encoder, name: nil, codingPath: [])).nested(key)
  }

  mutating func encodeNil(forKey key: Key) throws {}

  // The types of most params, for which nothing is allocated.

  mutating func encode(_ value: String, forKey key: Key) throws {
    encoder.append(value, named: try name(key))
  }

  mutating func encode(_ value: Bool, forKey key: Key) throws {
    encoder.append(value ? "true" : "false", named: try name(key))
  }

  mutating func encode(_ value: Int, forKey key: Key) throws { encoder.append(value, named: try name(key)) }

  mutating func encode(_ value: Int32, forKey key: Key) throws { encoder.append(value, named: try name(key)) }

  mutating func encode(_ value: Int64, forKey key: Key) throws { encoder.append(value, named: try name(key)) }

  mutating func encode(_ value: Double, forKey key: Key) throws {
    encoder.append(try FormPlace.text(value, at: codingPath + [key]), named: try name(key))
  }

  // Without these, the standard library refuses the two types.

  mutating func encode(_ value: Int128, forKey key: Key) throws {
    encoder.append(value, named: try name(key))
  }

  mutating func encode(_ value: UInt128, forKey key: Key) throws {
    encoder.append(value, named: try name(key))
  }

  mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    _ = try name(key)
    try nested(key).encode(value)
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    nested(key).container(keyedBy: keyType)
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    nested(key).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { outer ?? encoder as any Encoder }

  mutating func superEncoder(forKey key: Key) -> any Encoder { nested(key) }
}

/// Encodes the elements of an array, each as a field with the array's name.
private struct FormListContainer: UnkeyedEncodingContainer {
  let place: FormPlace
  private(set) var count = 0
  var codingPath: [any CodingKey] { place.codingPath }

  init(place: FormPlace) { self.place = place }

  mutating func encodeNil() throws { count += 1 }

  mutating func encode(_ value: Int128) throws { try encodeElement(value) }

  mutating func encode(_ value: UInt128) throws { try encodeElement(value) }

  mutating func encode<T: Encodable>(_ value: T) throws { try encodeElement(value) }

  private mutating func encodeElement(_ value: some Encodable) throws {
    let member = nextMember()
    // Nested arrays could not be told apart.
    guard place.name != nil, codingPath.last?.intValue == nil else { throw place.unsupportedValue }
    try member.encode(value)
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    nextMember().container(keyedBy: keyType)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nextMember().unkeyedContainer() }

  mutating func superEncoder() -> any Encoder { nextMember() }

  private mutating func nextMember() -> FormPlace {
    defer { count += 1 }
    return place.nested(IndexKey(count))
  }
}

/// Encodes a single value, such as the raw value of an enumeration.
private struct FormValueContainer: SingleValueEncodingContainer {
  let place: FormPlace
  var codingPath: [any CodingKey] { place.codingPath }

  mutating func encodeNil() throws {}

  mutating func encode(_ value: Int128) throws { try place.encode(value) }

  mutating func encode(_ value: UInt128) throws { try place.encode(value) }

  mutating func encode<T: Encodable>(_ value: T) throws { try place.encode(value) }
}
