#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Turns a flat `Encodable` value into the fields of a query.
struct QueryFieldEncoder: Encoder {
  /// Where the fields gather; a class, because the containers of one encoding share it.
  final class Fields {
    var gathered: [QueryField] = []
  }

  let fields: Fields
  let name: String?
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Returns the fields of a value, in the order in which it encodes them.
  static func fields(of value: some Encodable) throws(ParamsFault) -> [QueryField] {
    let fields = Fields()
    do {
      try value.encode(to: QueryFieldEncoder(fields: fields, name: nil, codingPath: []))
    } catch let fault as ParamsFault {
      throw fault
    } catch {
      throw ParamsFault("The params can't be written as a query: \(error).")
    }
    return fields.gathered
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(QueryKeyedContainer<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { QueryListContainer(encoder: self) }

  func singleValueContainer() -> any SingleValueEncodingContainer { QueryValueContainer(encoder: self) }

  func nested(_ key: some CodingKey) -> QueryFieldEncoder {
    QueryFieldEncoder(fields: fields, name: name ?? key.stringValue, codingPath: codingPath + [key])
  }

  /// Takes one value, which is a scalar or knows itself how to become one.
  func put(_ value: some Encodable) throws {
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

  /// The error for a value that has no form in a query.
  var refusal: ParamsFault {
    ParamsFault(
      field: FieldPath.text(codingPath),
      "a query holds texts, numbers and lists of them; send the params as .json, or write the fields yourself."
    )
  }

  private func append(_ number: some BinaryFloatingPoint & CustomStringConvertible, isFinite: Bool) throws {
    guard isFinite else {
      throw ParamsFault(field: FieldPath.text(codingPath), "\(number) is not a number to send.")
    }
    try append(number.description)
  }

  private func append(_ value: String) throws {
    guard let name else { throw refusal }
    fields.gathered.append(QueryField(name, value))
  }
}
