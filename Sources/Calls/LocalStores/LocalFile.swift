#if SQLite
import DurableQueues
import GRDB
import Interception
import Synchronization

/// How the file of a store is opened, salvaged and migrated.
struct LocalFile: Sendable {
  /// What is known of a file that was opened.
  struct Contents: Sendable, Hashable {
    /// The bytes of all records.
    var bytes: Int
    /// The bytes of the records that may be evicted.
    var evictableBytes: Int
    /// The number of the latest write, by which items are evicted; no time, which can be set back.
    var lastWritten: Int64
  }

  let path: String
  let account: String
  /// The digest of the account, which each record has.
  let owner: [UInt8]
  let schema: LocalSchema
  let limits: LocalLimits

  /// Opens the file, and creates it if it doesn't exist; this blocks the calling thread.
  ///
  /// - Parameter isMigrated: Whether a file of a lower version is migrated; otherwise it is opened as it is,
  ///   to export it.
  func open(
    now: WallTime, executor: QueueFile.Executor?, isMigrated: Bool = true
  ) throws(LocalStoreError) -> (file: QueueFile, contents: Contents) {
    let failure = FailureBox()
    let upgrade: @Sendable (Database) throws -> Void = { database in
      try failure.noting { try migrate(database) }
    }
    let format = QueueFile.Format(
      applicationID: LocalTables.applicationID, schema: LocalTables.schema,
      version: LocalTables.headerVersion(isMigrated ? schema.version : LocalSchema.maximumVersion),
      upgrade: isMigrated ? upgrade : nil, canShrink: true)
    do throws(QueueFileError) {
      let opened = try QueueFile.open(
        path, format: format, synchronizesCommits: true, now: now, executor: executor,
        salvage: { try salvage($0) }
      ) { database in try failure.noting { try load(database, isMigrated: isMigrated) } }
      return (opened.file, opened.state)
    } catch {
      // What a migration or a declaration has done wrong, and not the file.
      if error.kind == .unusable, let failure = failure.error { throw failure }
      throw LocalStoreError(error)
    }
  }

  /// Returns the content of the file with the changes that aren't in it as JSON.
  func export(
    _ database: Database, _ file: QueueFile, _ waiting: StagedChanges = StagedChanges()
  ) throws(LocalStoreError) -> [UInt8] {
    let tables = LocalTables(database: database, owner: owner)
    var document = ExportDocument(account: account)
    do throws(QueueFileError) {
      try file.check {
        document.version = try tables.head()?.version ?? schema.version
        try tables.forEach { address, json in
          if waiting.changes[address] == nil { document.add(json, at: address) }
        }
      }
    } catch { throw LocalStoreError(error) }
    for (address, change) in waiting.inOrder {
      if let content = change.content { document.add(content.json, at: address) }
    }
    return try document.bytes()
  }

  private func load(_ database: Database, isMigrated: Bool) throws -> Contents {
    // What was removed must not remain in free pages, and not for long in the log.
    _ = try Row.fetchAll(database, sql: "PRAGMA secure_delete = ON")
    try database.execute(sql: "PRAGMA journal_size_limit = \(256 * LocalTables.pageSize)")
    let tables = LocalTables(database: database, owner: owner)
    try database.inTransaction(.immediate) {
      if let head = try tables.head() {
        guard head.owner == owner else { throw QueueFileError(.foreign, path: path) }
        if isMigrated {
          // A changed byte of the header; what is below it has the version of the head.
          guard head.version == schema.version else { throw RecordDamage() }
          try tables.index(schema.collections)
        }
      } else {
        guard try tables.isEmpty else { throw RecordDamage() }
        try tables.setHead(version: isMigrated ? schema.version : 1)
        try tables.index(schema.collections)
      }
      return .commit
    }
    let sum = try Row.fetchOne(
      database,
      sql: """
        SELECT coalesce(sum(length(record)), 0) AS bytes, coalesce(max(written), 0) AS written FROM item
        """)
    guard let sum else { throw RecordDamage() }
    var evictableBytes = 0
    for name in schema.evictableNames {
      let row = try Row.fetchOne(
        database, sql: "SELECT coalesce(sum(length(record)), 0) AS bytes FROM item WHERE collection = ?",
        arguments: [name])
      evictableBytes += try row?.value("bytes", as: Int.self) ?? 0
    }
    // The number has no checksum: a damaged one must not be the last that there is.
    return Contents(
      bytes: try sum.value("bytes"), evictableBytes: evictableBytes,
      lastWritten: min(max(try sum.value("written"), 0), .max / 2))
  }

  /// Migrates a file of a lower version, within the transaction that also changes its version.
  private func migrate(_ database: Database) throws {
    let tables = LocalTables(database: database, owner: owner)
    guard let head = try tables.head() else { throw RecordDamage() }
    guard head.owner == owner, head.version <= schema.version else {
      throw QueueFileError(.foreign, path: path)
    }
    for version in head.version..<schema.version {
      try noting(version + 1) {
        let work = LocalWork(tables, schema, limits, file: nil, path: path)
        try schema.migrations[version - 1].change(LocalTransaction(work: work))
        for (address, change) in work.staged.inOrder {
          try tables.apply(change, at: address, written: 0)
        }
      }
    }
    // Each item is decoded, so that one that the app can no longer read is found while the old file is there.
    try noting(schema.version) { try tables.index(schema.collections, isForced: true) }
    try tables.setHead(version: schema.version)
  }

  /// Converts an error that does not concern the file into that of a migration.
  private func noting(_ version: Int, _ work: () throws -> Void) throws {
    do { try work() } catch let error as LocalStoreError {
      if let error = error.fileError { throw error }
      throw LocalStoreError(
        .migration,
        "The migration of the local store to version \(version) failed, and its file is as before: "
          + error.description)
    } catch let error where error is DatabaseError || error is RecordDamage {
      throw error
    } catch {
      throw LocalStoreError(
        .migration,
        "The migration of the local store to version \(version) failed, and its file is as before: "
          + "\(NetworkError.loggableText(of: error)). Correct the migration.")
    }
  }

  /// Copies the intact records of a damaged file, with its version: it is migrated afterwards.
  private func salvage(_ salvage: Salvage) throws {
    let damaged = LocalTables(database: salvage.damaged, owner: owner)
    let intact = LocalTables(database: salvage.intact, owner: owner)
    let head = try? damaged.head()
    if let head, head.owner != owner { throw QueueFileError(.foreign, path: path) }
    let version = try head?.version ?? damaged.versionInHeader()
    guard version <= schema.version else { throw QueueFileError(.foreign, path: path) }
    try salvage.copy("item", maximumCount: .max) { _, row in
      guard let collection = try? row.value("collection", as: String.self),
        let id = try? row.value("id", as: String.self), !id.isEmpty,
        (try? row.value("written", as: Int64.self)) != nil, let bytes = try? row.bytes("record")
      else { return false }
      let address = LocalAddress(collection: collection, id: id)
      return (try? LocalRecord.json(bytes, at: address, owner: owner)) != nil
    }
    try intact.setHead(version: max(version, 1))
    // The indexes are computed when the file is opened.
    try salvage.intact.execute(
      sql: "PRAGMA user_version = \(LocalTables.headerVersion(max(version, 1)))")
  }
}

/// Takes an error past a function that throws errors of another type.
private final class FailureBox: Sendable {
  private let latest = Mutex<LocalStoreError?>(nil)

  var error: LocalStoreError? { latest.withLock { $0 } }

  func noting<Value>(_ work: () throws -> Value) throws -> Value {
    do { return try work() } catch let error as LocalStoreError {
      latest.withLock { $0 = error }
      throw error
    }
  }
}
#endif
