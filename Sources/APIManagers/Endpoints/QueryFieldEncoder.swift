import BodyFormats

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Encodes a flat `Encodable` value as the fields of a query.
struct QueryFieldEncoder: Encoder {
  /// The fields encoded so far; a class, because the containers of one encoding share it.
  final class Storage {
    var fields: [QueryField] = []
  }

  let storage: Storage
  let name: String?
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Returns the fields of a value, in the order in which the value encodes them.
  static func fields(of value: some Encodable) throws(ParamsError) -> [QueryField] {
    let storage = Storage()
    do {
      try value.encode(to: QueryFieldEncoder(storage: storage, name: nil, codingPath: []))
    } catch let error as ParamsError {
      throw error
    } catch {
      throw ParamsError(
        "The params cannot be encoded as a query: their encode(to:) threw \(type(of: error)); correct it.")
    }
    return storage.fields
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(QueryKeyedContainer<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { QueryListContainer(encoder: self) }

  func singleValueContainer() -> any SingleValueEncodingContainer { QueryValueContainer(encoder: self) }

  func nested(_ key: some CodingKey) -> QueryFieldEncoder {
    QueryFieldEncoder(storage: storage, name: name ?? key.stringValue, codingPath: codingPath + [key])
  }

  /// Encodes one value, directly if it is a scalar, and otherwise by its own encoding.
  func encode(_ value: some Encodable) throws {
    switch value {
    case let date as Date: try append(date.formatted(.iso8601))
    case let url as URL: try append(url.absoluteString)
    case let text as String: try append(text)
    case let flag as Bool: try append(flag ? "true" : "false")
    case let number as any BinaryInteger: try append("\(number)")
    case let number as Double: try append(number, isFinite: number.isFinite)
    case let number as Float: try append(number, isFinite: number.isFinite)
    default: try value.encode(to: self)
    }
  }

  /// The error for a value that cannot be represented in a query.
  var unsupportedValue: ParamsError {
    ParamsError(
      field: FieldPath.text(codingPath),
      "a query can hold only texts, numbers and arrays of them; use .json, or provide the fields with query(_:)."
    )
  }

  private func append(_ number: some BinaryFloatingPoint & CustomStringConvertible, isFinite: Bool) throws {
    guard isFinite else {
      throw ParamsError(
        field: FieldPath.text(codingPath), "\(number) is not a finite number; send a finite one.")
    }
    try append(number.description)
  }

  private func append(_ value: String) throws {
    guard let name else { throw unsupportedValue }
    storage.fields.append(QueryField(name, value))
  }
}
