#if SQLite
// GRDB stores bytes only as Foundation's Data, which it links in any case.
import struct Foundation.Data
package import GRDB

/// Bytes as a value of the database.
package struct StoredBytes: DatabaseValueConvertible, Sendable {
  /// The bytes.
  package let bytes: [UInt8]

  /// Creates a value.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The bytes as a blob.
  package var databaseValue: DatabaseValue { Data(bytes).databaseValue }

  /// Creates a value from a blob.
  package static func fromDatabaseValue(_ value: DatabaseValue) -> StoredBytes? {
    Data.fromDatabaseValue(value).map { StoredBytes([UInt8]($0)) }
  }
}

extension Row {
  /// The value of a column; throws if a damaged file has one of another type, for which GRDB's subscripts end
  /// the process.
  package func value<Value: DatabaseValueConvertible>(
    _ column: String, as type: Value.Type = Value.self
  ) throws(RecordDamage) -> Value {
    guard let stored = self[column] as DatabaseValue?, let value = Value.fromDatabaseValue(stored) else {
      throw RecordDamage()
    }
    return value
  }

  /// The bytes of a column.
  package func bytes(_ column: String) throws(RecordDamage) -> [UInt8] {
    try value(column, as: StoredBytes.self).bytes
  }
}
#endif
