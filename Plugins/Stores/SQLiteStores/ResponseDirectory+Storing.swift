#if SQLite
import DurableQueues
import GRDB
import HTTPTypes
import Interception
import ResponseCaching

extension ResponseDirectory {
  /// The maximum size of a body in the database.
  private static let maximumInlineBytes = 64 << 10
  /// The maximum number of variants per key, as in memory.
  private static let variantLimit = 8

  /// A row that is to be removed.
  struct Removal {
    let row: Int64
    let file: String?
    let fileBytes: Int
  }

  /// Stores a response in place of those for the same request.
  func store(_ response: StoredResponse, requestFields: HTTPFields, at now: CacheInstant) {
    noteVisits()
    reopenIfDeleted()
    removeHidden()
    guard let database = contents?.file,
      let replaced = variants(of: response.key, requestFields, makingRoom: true)
    else { return }
    // One that arrived late is no reason to remove the newer one.
    if !replaced.isEmpty,
      case .read(let former, _, _) = readers.read(
        .init(response.key, requestFields: requestFields, for: .comparison), isAfterWrites: true),
      let newest = former.newest, response.isOlder(than: newest.stored)
    {
      return
    }
    let head = response.encodedHead()
    guard !head.isEmpty else { return removeOrHide(replaced) }
    var file: String?
    if response.body.count > Self.maximumInlineBytes {
      do throws(BodyFiles.Failure) {
        file = try bodies.create(response.body)
      } catch {
        report(DiskFault(error.kind, directory: path, detail: "errno \(error.code)"))
        return removeOrHide(replaced)
      }
    }
    guard let row = contents?.nextRow else { return }
    contents?.nextRow += 1
    let columns = ResponseColumns(response.key)
    let size = Self.size(head: head.count, body: response.body.count, isInFile: file != nil)
    let fileBytes = file == nil ? 0 : Self.roundedUp(response.body.count)
    let outdated = expired(at: now)
    for removal in replaced + outdated { contents?.order.remove(removal.row) }
    let evicted = removals(
      of: contents?.order.insert(row, fingerprint: UInt64(bitPattern: columns.key), size: size) ?? [])
    let removals = replaced + outdated + evicted
    let visits = contents?.visits ?? [:]
    contents?.visits = [:]
    let staleAt = response.freshness.received.wall.advanced(
      by: min(response.freshness.lifetime, Self.greatestLifetime)
    ).seconds
    let isStored: Void? = change { database in
      try Self.delete(removals, in: database)
      try Self.write(visits, in: database)
      try database.cachedStatement(
        sql: "INSERT INTO response VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)"
      ).execute(arguments: [
        row, columns.key, columns.target, columns.subject, columns.partition, columns.service, columns.api,
        StoredBytes(response.selector.encoded), staleAt, size, file, fileBytes,
      ])
      for tag in response.tags {
        try database.cachedStatement(sql: "INSERT OR IGNORE INTO tag VALUES (?, ?)").execute(
          arguments: [ResponseColumns.hash(of: tag), row])
      }
      try database.cachedStatement(sql: "INSERT INTO content VALUES (?, ?, ?)").execute(
        arguments: [row, StoredBytes(head), file == nil ? StoredBytes(response.body) : nil])
    }
    guard isStored != nil else {
      if let file { bodies.remove(file) }
      // The rows of another database have other numbers.
      guard contents?.file === database else { return }
      contents?.order.remove(row)
      return removeOrHide(removals)
    }
    contents?.fileBytes += fileBytes
    forget(removals)
    limitBytes()
  }

  /// Removes the variants that a declined response would have replaced.
  func removeVariants(of key: CacheKey, requestFields: HTTPFields) {
    reopenIfDeleted()
    guard contents != nil, let replaced = variants(of: key, requestFields, makingRoom: false) else { return }
    removeOrHide(replaced)
  }

  /// Removes rows that the eviction order no longer has.
  func removeRows(_ rows: [Int64]) { removeOrHide(removals(of: rows)) }

  /// Removes rows; those that can't be deleted, because the disk is full, are hidden until they can.
  ///
  /// No row is worth all others: what was replaced or evicted may come back after a restart, and is then
  /// replaced or evicted again; a removal that was asked for is ``remove(_:)``.
  func removeOrHide(_ removals: [Removal]) {
    guard !removals.isEmpty, let file = contents?.file else { return }
    let isDone: Void? = change { try Self.delete(removals, in: $0) }
    guard isDone == nil else { return forget(removals) }
    // Otherwise the database was given up with all its rows.
    guard contents?.file === file else { return }
    for removal in removals {
      contents?.order.remove(removal.row)
      contents?.hiddenRows.insert(removal.row)
      // This frees space, and without its file the row is of no use after a restart either.
      if let name = removal.file { bodies.remove(name) }
    }
    readers.setHidden(contents?.hiddenRows ?? [])
  }

  /// Deletes the rows that are hidden.
  private func removeHidden() {
    guard let hidden = contents?.hiddenRows, !hidden.isEmpty else { return }
    let removals = removals(of: Array(hidden))
    let isDone: Void? = change { try Self.delete(removals, in: $0) }
    guard isDone != nil else { return }
    forget(removals)
    contents?.hiddenRows.subtract(hidden)
    readers.setHidden(contents?.hiddenRows ?? [])
  }

  /// Deletes rows from the tables.
  static func delete(_ removals: [Removal], in database: Database) throws {
    guard !removals.isEmpty else { return }
    let statements = try ["response", "content", "tag"].map {
      try database.cachedStatement(sql: "DELETE FROM \($0) WHERE id = ?")
    }
    for removal in removals {
      for statement in statements { try statement.execute(arguments: [removal.row]) }
    }
  }

  /// Removes what was deleted from the tables from the eviction order and the folder.
  func forget(_ removals: [Removal]) {
    for removal in removals {
      contents?.order.remove(removal.row)
      contents?.visits[removal.row] = nil
      if let contents, removal.row <= contents.countedThrough || removal.row > contents.lastFormerRow {
        self.contents?.fileBytes -= removal.fileBytes
      }
      if let file = removal.file { bodies.remove(file) }
    }
  }

  /// Records visits in the tables, so that the eviction order is known after a restart.
  static func write(_ visits: [Int64: Int], in database: Database) throws {
    guard !visits.isEmpty else { return }
    let statement = try database.cachedStatement(
      sql: "UPDATE response SET visits = min(visits + ?, 3) WHERE id = ?")
    for (row, count) in visits { try statement.execute(arguments: [count, row]) }
  }

  static func removal(_ row: Row) throws -> Removal {
    let file: DatabaseValue? = row["file"]
    return Removal(
      row: try row.value("id"), file: file.flatMap { String.fromDatabaseValue($0) },
      fileBytes: try row.value("fileBytes"))
  }

  /// Evicts responses until the directory is within its limit, whatever the pages of the database hold.
  private func limitBytes() {
    guard let used = databaseBytes(withoutFreePages: true), let contents else { return }
    if used + contents.fileBytes > limits.bytes {
      let overhead = used + contents.fileBytes - contents.order.size
      let evicted = self.contents?.order.evict(toFit: overhead) ?? []
      removeRows(evicted)
    }
    guard let size = databaseBytes(), let contents = self.contents,
      size + contents.fileBytes > limits.bytes
    else { return }
    _ = read { try Row.fetchAll($0, sql: "PRAGMA incremental_vacuum(256)").count }
  }

  /// The rows that a response for these header fields replaces; nil if the database can't be read.
  private func variants(of key: CacheKey, _ requestFields: HTTPFields, makingRoom: Bool) -> [Removal]? {
    let hidden = contents?.hiddenRows ?? []
    return read { database in
      var (replaced, others): ([Removal], [Removal]) = ([], [])
      let rows = try Row.fetchCursor(
        database.cachedStatement(
          sql: "SELECT id, selector, file, fileBytes FROM response WHERE key = ? ORDER BY id"),
        arguments: [ResponseColumns.hash(of: key)])
      while let row = try rows.next() {
        let removal = try Self.removal(row)
        guard !hidden.contains(removal.row) else { continue }
        let isReplaced =
          VariantSelector(encoded: try row.bytes("selector"))?.matches(requestFields) ?? true
        if isReplaced { replaced.append(removal) } else { others.append(removal) }
      }
      return makingRoom && others.count >= Self.variantLimit ? replaced + others.prefix(1) : replaced
    }
  }

  /// Some of the rows that have been stale for too long.
  private func expired(at now: CacheInstant) -> [Removal] {
    let limit = now.wall.advanced(by: .zero - limits.staleFor).seconds
    return read { database in
      try Row.fetchAll(
        database.cachedStatement(
          sql: "SELECT id, file, fileBytes FROM response WHERE staleAt < ? ORDER BY staleAt LIMIT 8"),
        arguments: [limit]
      ).map(Self.removal)
    } ?? []
  }

  private func removals(of rows: [Int64]) -> [Removal] {
    guard !rows.isEmpty else { return [] }
    return read { database in
      let statement = try database.cachedStatement(
        sql: "SELECT id, file, fileBytes FROM response WHERE id = ?")
      return try rows.compactMap { row in
        try Row.fetchOne(statement, arguments: [row]).map(Self.removal)
      }
    } ?? []
  }

  /// The size that a response takes on the disk: its rows, and whole pages for what doesn't fit one.
  private static func size(head: Int, body: Int, isInFile: Bool) -> Int {
    guard !isInFile else { return head + 512 + roundedUp(body) }
    let size = head + body + 512
    return size > pageSize ? roundedUp(size) : size
  }

  private static func roundedUp(_ size: Int) -> Int { (size + pageSize - 1) / pageSize * pageSize }
}
#endif
