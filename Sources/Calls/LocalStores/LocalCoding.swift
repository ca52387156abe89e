#if SQLite
import DurableQueues
import Foundation
import Interception

/// Encodes values as JSON and decodes them.
enum LocalCoding {
  private static let wordForInfinity = ["Infinity", "-Infinity", "NaN"]

  static func encode(_ value: some Encodable, of subject: String) throws(LocalStoreError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: wordForInfinity[0], negativeInfinity: wordForInfinity[1], nan: wordForInfinity[2])
    do { return [UInt8](try encoder.encode(value)) } catch {
      throw LocalStoreError(
        .invalid, "\(subject) can't be encoded as JSON\(place(of: error)); correct the value's `encode(to:)`."
      )
    }
  }

  static func decode<Value: Decodable>(_ type: Value.Type, _ json: [UInt8]) throws -> Value {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: wordForInfinity[0], negativeInfinity: wordForInfinity[1], nan: wordForInfinity[2])
    return try decoder.decode(type, from: Data(json))
  }

  static func decode<Value: Decodable>(
    _ type: Value.Type, _ json: [UInt8], of subject: String
  ) throws(LocalStoreError) -> Value {
    do { return try decode(type, json) } catch { throw undecodable(error, subject) }
  }

  static func undecodable(_ error: any Error, _ subject: String) -> LocalStoreError {
    LocalStoreError(
      .undecodable,
      "\(subject) can't be decoded as the type it is declared with\(place(of: error)); add a migration that "
        + "changes what is stored.")
  }

  /// The ID of an item as a text, which is equal for IDs that Swift considers equal.
  static func text(ofID id: some Encodable, in collection: String) throws(LocalStoreError) -> String {
    let json = try encode(id, of: "An ID in the collection \"\(collection)\"")
    return String(decoding: json, as: UTF8.self).precomposedStringWithCanonicalMapping
  }

  /// The path to what is wrong, without a value.
  private static func place(of error: any Error) -> String {
    let (path, fault): ([any CodingKey], String)
    switch error {
    case EncodingError.invalidValue(_, let context): (path, fault) = (context.codingPath, "an invalid value")
    case DecodingError.keyNotFound(let key, let context):
      (path, fault) = (context.codingPath + [key], "it is missing")
    case DecodingError.typeMismatch(_, let context): (path, fault) = (context.codingPath, "another type")
    case DecodingError.valueNotFound(_, let context): (path, fault) = (context.codingPath, "null")
    case DecodingError.dataCorrupted(let context): (path, fault) = (context.codingPath, "an invalid value")
    default: return ""
    }
    guard !path.isEmpty else { return " (\(fault))" }
    let field = path.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
    return " (\"\(field)\": \(fault))"
  }
}

/// What a record of the file belongs to: a value, or an item of a collection.
struct LocalAddress: Sendable, Hashable {
  /// The name of the collection; empty for values, which are found by the names of their keys.
  let collection: String
  /// The ID of the item as JSON, or the name of the key.
  let id: String

  static func value(_ name: String) -> LocalAddress { LocalAddress(collection: "", id: name) }

  /// The change that the readers of changes receive.
  var change: LocalChange { collection.isEmpty ? .value(key: id) : .items(collection: collection) }

  /// What messages call it; the IDs of items may be secret.
  var subject: String {
    collection.isEmpty ? "The value of \"\(id)\"" : "An item of \"\(collection)\""
  }
}

/// A value or an item as the file has it, with whose it is and a checksum.
struct LocalRecord: Sendable {
  let owner: [UInt8]
  let address: LocalAddress
  let json: [UInt8]

  /// The number of bytes of a record.
  static func size(_ address: LocalAddress, json: Int, owner: [UInt8]) -> Int {
    5 * 8 + owner.count + address.collection.utf8.count + address.id.utf8.count + json
  }

  var encoded: [UInt8] {
    var writer = RecordWriter()
    writer.append(owner)
    writer.append(address.collection)
    writer.append(address.id)
    writer.append(json)
    return writer.finish()
  }

  /// Reads the content of a record, which must be that of an address.
  static func json(
    _ bytes: [UInt8], at address: LocalAddress, owner: [UInt8]
  ) throws(RecordDamage) -> [UInt8] {
    var reader = try RecordReader(bytes)
    guard try reader.bytes() == owner, try reader.text() == address.collection,
      try reader.text() == address.id
    else { throw RecordDamage() }
    let json = try reader.bytes()
    guard reader.isAtEnd else { throw RecordDamage() }
    return json
  }
}
#endif
