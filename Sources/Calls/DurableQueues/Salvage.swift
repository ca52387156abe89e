#if SQLite
package import GRDB
import struct Foundation.Data

/// Copies what can still be read from the tables of a damaged file to a new one.
///
/// SQLite ends a query at the first damaged page. The copying continues behind it: the next number whose row
/// can be read is searched with steps that double, and then by bisection, so that the work grows with the
/// rows and with the logarithm of what is lost. One row is in memory at a time.
package struct Salvage {
  /// The maximum number of damaged places in a table; what is behind them is lost.
  private static let maximumGaps = 256

  /// The connection to the damaged file.
  package let damaged: Database
  /// The connection to the new file.
  package let intact: Database

  /// Copies the readable rows of a table whose key is `sequence`, in the order of their numbers.
  ///
  /// - Parameters:
  ///   - maximumCount: The maximum number of rows that are copied.
  ///   - isIntact: Whether a row is what was written, by its checksum; SQLite has none.
  package func copy(
    _ table: String, maximumCount: Int, where isIntact: (_ sequence: Int64, _ row: Row) -> Bool
  ) throws {
    var remaining = maximumCount
    var start: Int64? = 0
    for _ in 0...Self.maximumGaps {
      guard let first = start else { return }
      start = try copyRun(of: table, from: first, &remaining, where: isIntact)
    }
  }

  /// Copies rows up to a damaged place, and returns the next number that can be read; nil at the end.
  private func copyRun(
    of table: String, from first: Int64, _ remaining: inout Int,
    where isIntact: (_ sequence: Int64, _ row: Row) -> Bool
  ) throws -> Int64? {
    var position = first
    guard let rows = try? Row.fetchCursor(damaged, sql: Self.query(table), arguments: [first]) else {
      return nil
    }
    while remaining > 0 {
      let row: Row
      do {
        guard let next = try rows.next() else { return nil }
        row = next
      } catch { return firstReadable(in: table, from: position) }
      // A damaged page may contain numbers in another order.
      guard let sequence: Int64 = try? row.value("sequence"), sequence >= position, sequence < .max else {
        return firstReadable(in: table, from: position)
      }
      position = sequence + 1
      guard isIntact(sequence, row) else { continue }
      let values = Array(row.databaseValues)
      let places = Array(repeating: "?", count: values.count).joined(separator: ", ")
      // By name: a file of a lower version may lack columns, which then get their default values.
      let columns = row.columnNames.map { "\"\($0.replacing("\"", with: ""))\"" }.joined(separator: ", ")
      try intact.cachedStatement(sql: "INSERT OR IGNORE INTO \(table) (\(columns)) VALUES (\(places))")
        .execute(arguments: StatementArguments(values))
      remaining -= 1
    }
    return nil
  }

  private static func query(_ table: String) -> String {
    "SELECT * FROM \(table) WHERE sequence >= ? ORDER BY sequence"
  }

  /// The lowest number after a damaged place from which rows can be read; nil if there is none.
  private func firstReadable(in table: String, from position: Int64) -> Int64? {
    var (low, high, step) = (position, position, Int64(1))
    repeat {
      low = high
      let (sum, isBeyond) = position.addingReportingOverflow(step)
      guard !isBeyond else { return nil }
      (high, step) = (sum, step.multipliedReportingOverflow(by: 2).partialValue)
    } while step > 0 && !canRead(table, from: high)
    guard step > 0 else { return nil }
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if canRead(table, from: middle) { high = middle } else { low = middle }
    }
    return high
  }

  private func canRead(_ table: String, from sequence: Int64) -> Bool {
    (try? Row.fetchOne(damaged, sql: Self.query(table) + " LIMIT 1", arguments: [sequence])) != nil
  }
}

/// Bytes as a value of the database.
package struct StoredBytes: DatabaseValueConvertible, Sendable {
  /// The bytes.
  package let bytes: [UInt8]

  /// Creates a value.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  // GRDB stores bytes only as Foundation's Data, which it links in any case.
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
