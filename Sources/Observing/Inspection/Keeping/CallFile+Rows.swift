#if SQLite
import DurableQueues
import GRDB
import RequestLogging

/// The rows of the file: each part of a call with its number and a checksum, because SQLite has none.
extension CallFile {
  private static let maximumSalvage = 100_000
  /// What a row takes besides its parts.
  private static let rowOverhead = 2 * pageSize

  /// Prepares the file, removes what exceeds its maximum size, and returns what is known of its calls.
  static func load(
    _ database: Database, byteLimit: Int
  ) throws -> (last: Int, count: Int, bytes: Int) {
    let pages = min(256, byteLimit / pageSize / 4)
    try database.execute(
      sql: "PRAGMA wal_autocheckpoint = \(pages); PRAGMA journal_size_limit = \(pages * pageSize)")
    let last = try Int.fetchOne(database, sql: "SELECT max(sequence) FROM call") ?? 0
    // No inspector has given such numbers.
    guard (0..<greatestID).contains(last) else { throw RecordDamage() }
    while try usedBytes(of: database) > byteLimit, try removeOldest(in: database) != nil {}
    _ = try Row.fetchAll(database, sql: "PRAGMA incremental_vacuum")
    let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM call") ?? 0
    return (last, count, try usedBytes(of: database))
  }

  /// Copies what can be read of a damaged file to a new one.
  static func salvage(_ salvage: Salvage) throws {
    try salvage.copy("call", maximumCount: maximumSalvage) { sequence, row in
      ["summary", "detail", "entries"].allSatisfy { part in
        (try? content(of: row.bytes(part), sequence)) != nil
      }
    }
  }

  /// The size of the file without its free pages.
  static func usedBytes(of database: Database) throws -> Int {
    let pages = try Int.fetchOne(database.cachedStatement(sql: "PRAGMA page_count")) ?? 0
    let free = try Int.fetchOne(database.cachedStatement(sql: "PRAGMA freelist_count")) ?? 0
    return (pages - free) * pageSize
  }

  /// Inserts a call, and removes the oldest ones to make room.
  ///
  /// - Returns: The number of calls of earlier runs that were removed; nil if the call is too large.
  func insert(_ call: KeptCall, in database: Database) throws -> Int? {
    let size = call.byteCount / (Self.pageSize - 4) * Self.pageSize + Self.pageSize + Self.rowOverhead
    guard size <= byteLimit / 2 else { return nil }
    var evicted = 0
    while try Self.usedBytes(of: database) + size > byteLimit {
      guard let id = try Self.removeOldest(in: database) else { break }
      if id <= lastEarlierID { evicted += 1 }
    }
    try database.cachedStatement(sql: "INSERT OR REPLACE INTO call VALUES (?, ?, ?, ?)").execute(
      arguments: [
        call.id, Self.sealed(call.summary, call.id), Self.sealed(call.detail, call.id),
        Self.sealed(call.entries, call.id),
      ])
    return evicted
  }

  private static func removeOldest(in database: Database) throws -> Int? {
    guard let id = try Int.fetchOne(database.cachedStatement(sql: "SELECT min(sequence) FROM call")) else {
      return nil
    }
    try database.cachedStatement(sql: "DELETE FROM call WHERE sequence = ?").execute(arguments: [id])
    return id
  }

  // MARK: Reading

  func earlierCalls(after id: Int, limit: Int) -> [EarlierCall] {
    var calls: [EarlierCall] = []
    var last = id
    read { database in
      let query = try database.cachedStatement(
        sql:
          "SELECT sequence, summary FROM call WHERE sequence > ? AND sequence <= ? ORDER BY sequence LIMIT ?")
      // A damaged row is passed over, and is no reason to end the list.
      while calls.count < limit {
        let rows = try Row.fetchAll(query, arguments: [last, self.lastEarlierID, limit - calls.count])
        for row in rows {
          last = try row.value("sequence")
          guard let summary = try? Self.content(of: row.bytes("summary"), Int64(last)) else { continue }
          calls.append(EarlierCall(id: last, summary: summary))
        }
        if rows.isEmpty { return }
      }
    }
    return calls
  }

  func part(_ part: KeptCall.Part, of id: Int) -> [UInt8]? {
    guard id <= lastEarlierID else { return nil }
    var content: [UInt8]?
    read { database in
      let query = try database.cachedStatement(sql: "SELECT \(part.rawValue) FROM call WHERE sequence = ?")
      guard let row = try Row.fetchOne(query, arguments: [id]) else { return }
      content = try? Self.content(of: row.bytes(part.rawValue), Int64(id))
    }
    return content
  }

  func earlierEntries(upTo byteLimit: Int) -> (entries: [[UInt8]], omittedCount: Int) {
    var (entries, byteCount, rest) = ([[UInt8]](), 0, 0)
    read { database in
      let rows = try Row.fetchCursor(
        database, sql: "SELECT sequence, entries FROM call WHERE sequence <= ? ORDER BY sequence DESC",
        arguments: [self.lastEarlierID])
      while byteCount < byteLimit, let row = try rows.next() {
        let id: Int64 = try row.value("sequence")
        guard let content = try? Self.content(of: row.bytes("entries"), id) else { continue }
        if byteCount + content.count > byteLimit {
          rest =
            try Int.fetchOne(
              database, sql: "SELECT count(*) FROM call WHERE sequence <= ?", arguments: [id]) ?? 0
          return
        }
        entries.append(content)
        byteCount += content.count
      }
    }
    return (entries.reversed(), rest)
  }

  /// Returns the archive of each call that can be read, oldest first.
  static func archivedCalls(in database: Database) throws -> [ArchivedCall] {
    // The entries are redacted already.
    let empty = ArchiveDocument(redaction: Redaction(), application: ("Inspector", ""))
    var calls: [ArchivedCall] = []
    let rows = try Row.fetchCursor(
      database, sql: "SELECT sequence, summary, entries FROM call ORDER BY sequence")
    while let row = try rows.next() {
      let id: Int64 = try row.value("sequence")
      guard let entries = try? content(of: row.bytes("entries"), id), !entries.isEmpty,
        let summary = try? content(of: row.bytes("summary"), id)
      else { continue }
      var document = empty
      document.add(entries)
      calls.append(
        ArchivedCall(number: Int(id), summary: summary, archive: document.bytes(omittedCount: 0)))
    }
    return calls
  }

  /// Runs a closure after the write in progress; this blocks the calling thread, which is the page's.
  private func read(_ work: (Database) throws -> Void) {
    attempt(isWrite: false) { () throws(QueueFileError) in
      try file.access { database in try self.file.check { try work(database) } }
    }
  }

  // MARK: Checksums

  private static func sealed(_ content: [UInt8], _ id: Int) -> StoredBytes {
    var writer = RecordWriter()
    writer.append(id)
    writer.append(content)
    return StoredBytes(writer.finish())
  }

  private static func content(of bytes: [UInt8], _ id: Int64) throws(RecordDamage) -> [UInt8] {
    var reader = try RecordReader(bytes)
    guard try reader.number() == id else { throw RecordDamage() }
    return try reader.bytes()
  }
}
#endif
