#if SQLite
import DurableQueues
import GRDB
import GRDBSQLite
import HTTPTypes
import ResponseCaching

/// A connection that only reads the database of a response store, for one thread at a time.
///
/// It calls SQLite itself: GRDB's connections take a queue, a cursor and a row object for each statement,
/// which cost more than the statement.
// Unchecked, because SQLite's objects may be used by any thread, but not by two at the same time.
final class ReaderConnection: @unchecked Sendable {
  /// What was read for a request.
  struct Reading: Sendable {
    /// The response to use, and its row.
    var newest: (row: Int64, stored: StoredResponse)?
    /// Whether there are rows of the key for other request header fields.
    var hasOthers = false
    /// The rows that can't be used.
    var damaged: [Int64] = []

    /// The result of the lookup.
    var lookup: StoreLookup {
      if let newest { .found(newest.stored) } else { hasOthers ? .otherVariants : .nothing }
    }
  }

  /// What is read for a request.
  struct Query: Sendable {
    /// What the response is read for.
    enum Purpose: Sendable {
      /// For a request, which counts as a visit.
      case use
      /// For a request with a `Range`: a body in a file is verified, but left there.
      case range
      /// To compare it with the next one.
      case comparison
    }

    let key: CacheKey
    let columns: ResponseColumns
    let requestFields: HTTPFields
    let purpose: Purpose

    init(_ key: CacheKey, requestFields: HTTPFields, for purpose: Purpose) {
      self.key = key
      self.requestFields = requestFields
      self.purpose = purpose
      columns = ResponseColumns(key)
    }
  }

  private static let rows = """
    SELECT response.id, selector, target, subject, partition, service, api, file, head, body
    FROM response JOIN content USING (id) WHERE key = ? ORDER BY response.id
    """
  private static let tags = "SELECT tag FROM tag WHERE id = ?"

  private let connection: OpaquePointer
  private let rows: OpaquePointer
  private let tags: OpaquePointer
  private var isOpen = true

  /// Opens a connection beside the one that writes.
  init(_ file: QueueFile) throws {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(file.path, &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let connection = opened else {
      sqlite3_close(opened)
      throw DatabaseError(resultCode: ResultCode(rawValue: code))
    }
    do {
      try file.checkIdentity()
      // The tree's upper pages fit; those of responses are in the system's cache.
      try Self.check(sqlite3_exec(connection, "PRAGMA cache_size = -256", nil, nil, nil))
      rows = try Self.statement(Self.rows, in: connection)
      do { tags = try Self.statement(Self.tags, in: connection) } catch {
        sqlite3_finalize(rows)
        throw error
      }
    } catch {
      sqlite3_close(connection)
      throw error
    }
    self.connection = connection
  }

  deinit { close() }

  /// Closes the connection, which isn't used afterwards.
  func close() {
    guard isOpen else { return }
    isOpen = false
    sqlite3_finalize(rows)
    sqlite3_finalize(tags)
    sqlite3_close(connection)
  }

  /// Reads the rows of a key in one snapshot of the database.
  ///
  /// - Parameters:
  ///   - hidden: The rows that count as removed.
  ///   - bodies: The files with bodies.
  ///   - maximumBytes: The maximum size of a body.
  func read(
    _ query: Query, except hidden: Set<Int64>, bodies: BodyFiles, maximumBytes: Int
  ) throws -> Reading {
    var reading = Reading()
    defer { sqlite3_reset(rows) }
    try Self.check(sqlite3_bind_int64(rows, 1, query.columns.key))
    // In the order in which they were stored, so that each is compared with those that arrived before it.
    while try Self.step(rows) {
      let row = try integer(0)
      guard hidden.isEmpty || !hidden.contains(row) else { continue }
      guard VariantSelector(encoded: try bytes(1))?.matches(query.requestFields) ?? true else {
        reading.hasOthers = true
        continue
      }
      guard let stored = try response(bodies, maximumBytes, leavesFile: query.purpose != .use) else {
        reading.damaged.append(row)
        continue
      }
      // Another key with the same hash.
      guard stored.key == query.key else { continue }
      guard stored.selector.matches(query.requestFields), try isFoundByRemovals(stored, query.columns, row)
      else {
        reading.damaged.append(row)
        continue
      }
      if let former = reading.newest, stored.isOlder(than: former.stored) { continue }
      reading.newest = (row, stored)
    }
    return reading
  }

  /// Restores the response of the current row; nil if any part is missing or damaged.
  private func response(
    _ bodies: BodyFiles, _ maximumBytes: Int, leavesFile: Bool
  ) throws -> StoredResponse? {
    let head = try bytes(8)
    guard let file = sqlite3_column_text(rows, 7).map({ String(cString: $0) }) else {
      let body = sqlite3_column_type(rows, 9) == SQLITE_NULL ? [] : try bytes(9)
      return StoredResponse(encodedHead: head, body: body)
    }
    guard let count = StoredResponse.bodyCount(ofEncodedHead: head), count <= maximumBytes else { return nil }
    guard leavesFile else {
      return bodies.body(file, count: count).flatMap { StoredResponse(encodedHead: head, body: $0) }
    }
    return StoredResponse(
      encodedHead: head, outlying: OutlyingBody(count: count) { bodies.source(of: file, $0) },
      readWhole: { bodies.readChunks(of: file, count: count, $0) })
  }

  /// Whether the columns of the current row are those of its response: a removal would not find others.
  private func isFoundByRemovals(
    _ stored: StoredResponse, _ columns: ResponseColumns, _ row: Int64
  ) throws -> Bool {
    guard try integer(2) == columns.target, try integer(3) == columns.subject,
      try integer(4) == columns.partition, try integer(5) == columns.service, try integer(6) == columns.api
    else { return false }
    guard !stored.tags.isEmpty else { return true }
    defer { sqlite3_reset(tags) }
    try Self.check(sqlite3_bind_int64(tags, 1, row))
    var found: Set<Int64> = []
    while try Self.step(tags) { found.insert(sqlite3_column_int64(tags, 0)) }
    return found == Set(stored.tags.map { ResponseColumns.hash(of: $0) })
  }

  // MARK: Columns of the current row, which have another type only in a damaged database

  private func integer(_ column: CInt) throws -> Int64 {
    guard sqlite3_column_type(rows, column) == SQLITE_INTEGER else { throw RecordDamage() }
    return sqlite3_column_int64(rows, column)
  }

  private func bytes(_ column: CInt) throws -> [UInt8] {
    guard sqlite3_column_type(rows, column) == SQLITE_BLOB else { throw RecordDamage() }
    // SQLite asks for this order: the number of the bytes may change with their type.
    let start = sqlite3_column_blob(rows, column)
    let count = Int(sqlite3_column_bytes(rows, column))
    guard count > 0 else { return [] }
    guard let start else { throw DatabaseError(resultCode: .SQLITE_NOMEM) }
    return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }

  // MARK: Statements

  private static func statement(_ sql: String, in connection: OpaquePointer) throws -> OpaquePointer {
    var statement: OpaquePointer?
    try check(
      sqlite3_prepare_v3(connection, sql, -1, CUnsignedInt(SQLITE_PREPARE_PERSISTENT), &statement, nil))
    guard let statement else { throw DatabaseError(resultCode: .SQLITE_ERROR) }
    return statement
  }

  /// Whether a statement has another row.
  private static func step(_ statement: OpaquePointer) throws -> Bool {
    let code = sqlite3_step(statement)
    guard code != SQLITE_ROW else { return true }
    guard code == SQLITE_DONE else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    return false
  }

  private static func check(_ code: CInt) throws {
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }
}
#endif
