#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A value that is decoded through containers that add their keys to errors.
struct LocatingValue<Value: Decodable>: Decodable {
  let value: Value

  /// The number of keys up to which a fault is located; a path to a deeper fault ends there.
  static var maximumDepth: Int { 32 }

  init(from decoder: any Decoder) throws { value = try Value(from: LocatingDecoder(base: decoder)) }

  /// Decodes a value by a closure that decodes another type from the same place.
  static func decode(
    _ place: [any CodingKey], _ plain: () throws -> Value, _ locating: () throws -> LocatingValue<Value>
  ) throws -> Value {
    do {
      // Its containers take several times the stack of the decoder's own.
      if place.count > maximumDepth { return try plain() }
      // The decoder recognizes these types, and would not within another one.
      switch Value.self {
      case is Date.Type, is Data.Type, is URL.Type, is Decimal.Type: return try plain()
      default: return try locating().value
      }
    } catch {
      throw located(error, at: place)
    }
  }

  /// Returns an error with the path to the value at fault.
  ///
  /// Within its containers the decoder throws errors of an internal type for values that it cannot read.
  static func located(_ error: any Error, at place: [any CodingKey]) -> any Error {
    if error is BodyDecodingError { return error }
    if let error = error as? DecodingError {
      guard case .dataCorrupted(let context) = error, context.codingPath.isEmpty else { return error }
    }
    // The decoder has parsed the content, or it would not have asked for a value.
    guard !place.isEmpty else {
      return BodyDecodingError(.mismatch, "The content has a value that its type does not allow.")
    }
    return DecodingError.dataCorrupted(DecodingError.Context(codingPath: place, debugDescription: ""))
  }
}

/// A decoder whose containers add their keys to an error without a path.
struct LocatingDecoder: Decoder {
  let base: any Decoder
  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(LocatingKeyedContainer(base: try base.container(keyedBy: type)))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    LocatingUnkeyedContainer(base: try base.unkeyedContainer())
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    LocatingSingleValueContainer(base: try base.singleValueContainer())
  }
}

/// The fields of an object.
struct LocatingKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let base: KeyedDecodingContainer<Key>
  var codingPath: [any CodingKey] { base.codingPath }
  var allKeys: [Key] { base.allKeys }

  func contains(_ key: Key) -> Bool { base.contains(key) }

  func decodeNil(forKey key: Key) throws -> Bool { try base.decodeNil(forKey: key) }

  // Without these, the standard library refuses the two types, here and in the other containers.
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try value(type, forKey: key) }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try value(type, forKey: key) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try value(type, forKey: key)
  }

  private func value<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
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

/// The place of an element in an array.
package struct IndexKey: CodingKey {
  /// The index.
  package let intValue: Int?
  /// The index in digits.
  package var stringValue: String { "\(intValue ?? 0)" }

  /// Creates the key of an index.
  package init(_ index: Int) { intValue = index }
  /// Creates the key of an index.
  package init?(intValue: Int) { self.init(intValue) }
  /// Returns nil, because only properties have names.
  package init?(stringValue: String) { return nil }
}

/// The elements of an array.
struct LocatingUnkeyedContainer: UnkeyedDecodingContainer {
  var base: any UnkeyedDecodingContainer
  var codingPath: [any CodingKey] { base.codingPath }
  var count: Int? { base.count }
  var isAtEnd: Bool { base.isAtEnd }
  var currentIndex: Int { base.currentIndex }

  init(base: any UnkeyedDecodingContainer) { self.base = base }

  mutating func decodeNil() throws -> Bool { try base.decodeNil() }

  mutating func decode(_ type: Int128.Type) throws -> Int128 { try value(type) }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try value(type) }
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try value(type) }

  private mutating func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let place = codingPath + [IndexKey(currentIndex)]
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

  func decode(_ type: Int128.Type) throws -> Int128 { try value(type) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try value(type) }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try value(type) }

  private func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    do {
      return try base.decode(type)
    } catch {
      throw LocatingValue<Value>.located(error, at: codingPath)
    }
  }
}

extension JSONCoding {
  /// Returns a decoder's error with the path to the field, if the decoder has left it out.
  ///
  /// Foundation's decoder (of Swift 6.3) reports a number that its type cannot represent, and a string with
  /// invalid escapes, as data that is not JSON, without a path. The value is then decoded once more, through
  /// containers that add their keys to such an error. Delete this when the decoder reports a path.
  static func located<Value: Decodable>(
    _ error: any Error, as type: Value.Type, in data: Data, by decoder: JSONDecoder
  ) -> any Error {
    guard case DecodingError.dataCorrupted(let context) = error, context.codingPath.isEmpty else {
      return error
    }
    do {
      _ = try decoder.decode(LocatingValue<Value>.self, from: data)
      return error
    } catch {
      return error
    }
  }
}
