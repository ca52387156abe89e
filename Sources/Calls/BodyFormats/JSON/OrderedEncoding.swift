#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A collection whose order depends on the seed of hash values, so that equal ones are encoded differently.
package protocol HashOrdered {}

extension Set: HashOrdered {}

extension Dictionary: HashOrdered {}

/// A value whose sets and dictionaries are encoded in the order of the text of their elements and keys.
///
/// The platform's encoder sorts the keys of objects only. It writes a set as a list, and so it does a
/// dictionary with keys that are neither texts nor integers, both in the order of hash values.
struct Ordered<Value: Encodable>: Encodable {
  let value: Value
  let order: TextOrder

  func encode(to encoder: any Encoder) throws {
    if OrderedEncoder.isPlain(Value.self) {
      // Through a container, because the encoder recognizes its own formats there.
      var container = encoder.singleValueContainer()
      try container.encode(value)
    } else if let collection = value as? any Reorderable {
      var container = encoder.singleValueContainer()
      try container.encode(collection.reordered(by: order))
    } else {
      try value.encode(to: OrderedEncoder(base: encoder, order: order))
    }
  }
}

/// The order of values by their encoded text.
struct TextOrder {
  let encoder: JSONEncoder

  /// Returns elements in the order of the text of one of their parts.
  func sorted<Element>(_ elements: some Collection<Element>, by part: (Element) -> some Encodable)
    -> [Element]
  {
    // A part that cannot be encoded is refused with its place when the elements are written.
    elements.map { (try? encoder.encode(Ordered(value: part($0), order: self)), $0) }
      .sorted { ($0.0 ?? Data()).lexicographicallyPrecedes($1.0 ?? Data()) }.map(\.1)
  }
}

/// A collection that can be encoded in another order than its own.
private protocol Reorderable {
  /// Returns a value that is encoded like the collection, in an order.
  func reordered(by order: TextOrder) -> any Encodable
}

extension Set: Reorderable where Element: Encodable {
  func reordered(by order: TextOrder) -> any Encodable {
    order.sorted(self) { $0 }.map { Ordered(value: $0, order: order) }
  }
}

extension Dictionary: Reorderable where Key: Encodable, Value: Encodable {
  func reordered(by order: TextOrder) -> any Encodable {
    // An object, whose keys the encoder sorts.
    if Key.self is any CodingKeyRepresentable.Type { return mapValues { Ordered(value: $0, order: order) } }
    return order.sorted(self) { $0.key }.flatMap { pair in
      [
        AnyEncodable(Ordered(value: pair.key, order: order)),
        AnyEncodable(Ordered(value: pair.value, order: order)),
      ]
    }
  }
}

/// A value without its type, for a list of keys and values.
private struct AnyEncodable: Encodable {
  let value: any Encodable

  init(_ value: any Encodable) { self.value = value }

  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

/// An encoder whose containers encode the values in them as ``Ordered`` ones.
private struct OrderedEncoder: Encoder {
  let base: any Encoder
  let order: TextOrder
  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  /// Returns whether values of a type contain no collection of others, or must be seen by the base as they
  /// are.
  @inline(__always)
  static func isPlain(_ type: Any.Type) -> Bool {
    switch type {
    case is String.Type, is Int.Type, is Bool.Type, is Double.Type, is [String].Type, is [Int].Type,
      is Date.Type, is Data.Type, is URL.Type, is Decimal.Type, is Float.Type, is Int8.Type, is Int16.Type,
      is Int32.Type, is Int64.Type, is Int128.Type, is UInt.Type, is UInt8.Type, is UInt16.Type,
      is UInt32.Type, is UInt64.Type, is UInt128.Type:
      true
    default: false
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(OrderedKeyedContainer(base: base.container(keyedBy: type), order: order))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    OrderedUnkeyedContainer(base: base.unkeyedContainer(), order: order)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    OrderedSingleValueContainer(base: base.singleValueContainer(), order: order)
  }
}

private struct OrderedKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  var base: KeyedEncodingContainer<Key>
  let order: TextOrder
  var codingPath: [any CodingKey] { base.codingPath }

  mutating func encodeNil(forKey key: Key) throws { try base.encodeNil(forKey: key) }
  mutating func encode(_ value: String, forKey key: Key) throws { try base.encode(value, forKey: key) }
  mutating func encode(_ value: Bool, forKey key: Key) throws { try base.encode(value, forKey: key) }
  mutating func encode(_ value: Int, forKey key: Key) throws { try base.encode(value, forKey: key) }
  mutating func encode(_ value: Double, forKey key: Key) throws { try base.encode(value, forKey: key) }
  // Without these, the standard library refuses the two types, here and in the other containers.
  mutating func encode(_ value: Int128, forKey key: Key) throws { try base.encode(value, forKey: key) }
  mutating func encode(_ value: UInt128, forKey key: Key) throws { try base.encode(value, forKey: key) }

  mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    if OrderedEncoder.isPlain(T.self) { return try base.encode(value, forKey: key) }
    try base.encode(Ordered(value: value, order: order), forKey: key)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(
      OrderedKeyedContainer<Nested>(base: base.nestedContainer(keyedBy: type, forKey: key), order: order))
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    OrderedUnkeyedContainer(base: base.nestedUnkeyedContainer(forKey: key), order: order)
  }

  mutating func superEncoder() -> any Encoder { OrderedEncoder(base: base.superEncoder(), order: order) }

  mutating func superEncoder(forKey key: Key) -> any Encoder {
    OrderedEncoder(base: base.superEncoder(forKey: key), order: order)
  }
}

private struct OrderedUnkeyedContainer: UnkeyedEncodingContainer {
  var base: any UnkeyedEncodingContainer
  let order: TextOrder
  var codingPath: [any CodingKey] { base.codingPath }
  var count: Int { base.count }

  mutating func encodeNil() throws { try base.encodeNil() }
  mutating func encode(_ value: Int128) throws { try base.encode(value) }
  mutating func encode(_ value: UInt128) throws { try base.encode(value) }

  mutating func encode<T: Encodable>(_ value: T) throws {
    if OrderedEncoder.isPlain(T.self) { return try base.encode(value) }
    try base.encode(Ordered(value: value, order: order))
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(
      OrderedKeyedContainer<Nested>(base: base.nestedContainer(keyedBy: type), order: order))
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    OrderedUnkeyedContainer(base: base.nestedUnkeyedContainer(), order: order)
  }

  mutating func superEncoder() -> any Encoder { OrderedEncoder(base: base.superEncoder(), order: order) }
}

private struct OrderedSingleValueContainer: SingleValueEncodingContainer {
  var base: any SingleValueEncodingContainer
  let order: TextOrder
  var codingPath: [any CodingKey] { base.codingPath }

  mutating func encodeNil() throws { try base.encodeNil() }
  mutating func encode(_ value: Int128) throws { try base.encode(value) }
  mutating func encode(_ value: UInt128) throws { try base.encode(value) }

  mutating func encode<T: Encodable>(_ value: T) throws {
    if OrderedEncoder.isPlain(T.self) { return try base.encode(value) }
    try base.encode(Ordered(value: value, order: order))
  }
}
