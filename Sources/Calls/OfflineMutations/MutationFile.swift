#if SQLite
import DurableQueues
import GRDB
import Interception

/// The file of a ``MutationQueue``: the mutations that wait, and those that were set aside.
final class MutationFile: Sendable {
  /// "SwMQ" in ASCII.
  private static let format = QueueFile.Format(
    applicationID: 0x5377_4D51,
    schema: """
      CREATE TABLE mutation (
        sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, resource TEXT NOT NULL,
        attempts INTEGER NOT NULL, record BLOB NOT NULL
      );
      CREATE TABLE rejected (
        sequence INTEGER PRIMARY KEY, id TEXT NOT NULL, attempts INTEGER NOT NULL, reason TEXT NOT NULL,
        record BLOB NOT NULL
      );
      """)

  /// A mutation as it is found at the start.
  struct Waiting: Sendable {
    var entry: MutationLines.Entry
    var key: MutationLines.Key

    init(_ row: Row) throws {
      let mutation = try? Mutation(record: row.bytes("record"), attempts: 0)
      entry = MutationLines.Entry(
        sequence: try row.value("sequence"), id: try row.value("id"),
        origin: mutation.map { RequestOrigin($0.head) })
      key = MutationLines.Key(partition: mutation?.partition, resource: try row.value("resource"))
    }
  }

  let file: QueueFile
  private let maximumCount: Int

  /// Opens the file, and returns it with the mutations that wait.
  static func open(
    _ path: String, maximumCount: Int, now: WallTime, executor: QueueFile.Executor? = nil
  ) throws(QueueFileError) -> (MutationFile, [Waiting]) {
    let (file, waiting) = try QueueFile.open(
      path, format: format, synchronizesCommits: true, now: now, executor: executor,
      salvage: { try Self.salvage($0, maximumCount: maximumCount) }
    ) { database in
      let rows = try Row.fetchCursor(
        database, sql: "SELECT sequence, id, resource, record FROM mutation ORDER BY sequence")
      return try Array(rows.map { try Waiting($0) })
    }
    return (MutationFile(file, maximumCount: maximumCount), waiting)
  }

  /// Copies the intact mutations of a damaged file: one damaged page is no reason to lose those of all
  /// accounts.
  private static func salvage(_ salvage: Salvage, maximumCount: Int) throws {
    var (count, last) = (0, Int64(0))
    for table in ["mutation", "rejected"] {
      try salvage.copy(table, maximumCount: maximumCount - count) { sequence, row in
        guard let mutation = try? Mutation(record: row.bytes("record"), attempts: 0),
          (try? row.value("id", as: String.self)) == mutation.id,
          let attempts = try? row.value("attempts", as: Int.self), attempts >= 0,
          table == "rejected"
            ? (try? row.value("reason", as: String.self)) != nil
            : (try? row.value("resource", as: String.self)) == mutation.resource
        else { return false }
        count += 1
        last = max(last, sequence)
        return true
      }
    }
    // A number that is used again would replace a mutation that was set aside.
    try salvage.intact.execute(
      sql: "DELETE FROM sqlite_sequence; INSERT INTO sqlite_sequence VALUES ('mutation', \(last))")
  }

  private init(_ file: QueueFile, maximumCount: Int) {
    self.file = file
    self.maximumCount = maximumCount
  }

  /// The result of an insertion.
  enum Insertion: Sendable {
    case inserted(sequence: Int64)
    case known(Mutation)
    case full
  }

  /// Stores a mutation, unless one with its ID waits.
  ///
  /// - Parameter inserted: Called with the mutation's number after the transaction, in the order of the
  ///   numbers.
  func insert(
    _ mutation: Mutation, inserted: @escaping @Sendable (Int64) -> Void
  ) async throws(QueueFileError) -> Insertion {
    try await file.perform { [file, maximumCount] database throws(QueueFileError) in
      let insertion = try file.commit(in: database) { () -> Insertion in
        if let known = try Self.mutation(mutation.id, in: database) { return .known(known) }
        let count = try Row.fetchOne(
          database, sql: "SELECT (SELECT count(*) FROM mutation) + (SELECT count(*) FROM rejected) AS count")
        guard let count, try count.value("count", as: Int.self) < maximumCount else { return .full }
        try database.execute(
          sql: "INSERT INTO mutation (id, resource, attempts, record) VALUES (?, ?, 0, ?)",
          arguments: [mutation.id, mutation.resource, StoredBytes(mutation.record)])
        return .inserted(sequence: database.lastInsertedRowID)
      }
      if case .inserted(let sequence) = insertion { inserted(sequence) }
      return insertion
    }
  }

  private static func mutation(_ id: String, in database: Database) throws -> Mutation? {
    try Row.fetchOne(database, sql: "SELECT attempts, record FROM mutation WHERE id = ?", arguments: [id])
      .map { row in
        try Mutation(record: row.bytes("record"), attempts: row.value("attempts"))
      }
  }

  /// Records that a mutation is sent, and returns it; nil if its record is damaged, and it was set aside.
  func begin(_ entry: MutationLines.Entry) async throws(QueueFileError) -> Mutation? {
    try await file.perform { [file] database throws(QueueFileError) in
      try file.commit(in: database) {
        try database.execute(
          sql: "UPDATE mutation SET attempts = attempts + 1 WHERE sequence = ?", arguments: [entry.sequence])
        do {
          if let mutation = try Self.mutation(entry.id, in: database) { return mutation }
        } catch is RecordDamage {}
        try Self.setAside(entry, reason: "damaged", in: database)
        return nil
      }
    }
  }

  /// Records that a mutation whose sending began wasn't received by the server.
  func takeBack(_ entry: MutationLines.Entry) async throws(QueueFileError) {
    try await file.perform { [file] database throws(QueueFileError) in
      try file.commit(in: database) {
        try database.execute(
          sql: "UPDATE mutation SET attempts = attempts - 1 WHERE sequence = ?", arguments: [entry.sequence])
      }
    }
  }

  /// Removes a mutation.
  func remove(_ entry: MutationLines.Entry) async throws(QueueFileError) {
    try await file.perform { [file] database throws(QueueFileError) in
      try file.commit(in: database) {
        try database.execute(sql: "DELETE FROM mutation WHERE sequence = ?", arguments: [entry.sequence])
      }
    }
  }

  /// Moves a mutation to those set aside.
  func reject(_ entry: MutationLines.Entry, reason: String) async throws(QueueFileError) {
    try await file.perform { [file] database throws(QueueFileError) in
      try file.commit(in: database) { try Self.setAside(entry, reason: reason, in: database) }
    }
  }

  private static func setAside(
    _ entry: MutationLines.Entry, reason: String, in database: Database
  ) throws {
    try database.execute(
      sql: """
        INSERT OR REPLACE INTO rejected
        SELECT sequence, id, attempts, ?, record FROM mutation WHERE sequence = ?
        """, arguments: [reason, entry.sequence])
    try database.execute(sql: "DELETE FROM mutation WHERE sequence = ?", arguments: [entry.sequence])
  }
}

extension MutationFile {
  /// The mutation with an ID that waits; nil if there is none.
  func waiting(_ id: String) async throws(QueueFileError) -> Waiting? {
    try await file.perform { [file] database throws(QueueFileError) in
      try file.check {
        try Row.fetchOne(
          database, sql: "SELECT sequence, id, resource, record FROM mutation WHERE id = ?", arguments: [id]
        ).map { try Waiting($0) }
      }
    }
  }

  /// The mutation of an entry; nil if it has left the queue.
  func mutation(_ entry: MutationLines.Entry) async throws(QueueFileError) -> Mutation? {
    try await file.perform { [file] database throws(QueueFileError) in
      try file.check { try Self.mutation(entry.id, in: database) }
    }
  }

  /// The oldest mutations that wait; damaged ones are left out.
  func pending(limit: Int) async throws(QueueFileError) -> [Mutation] {
    try await file.perform { [file] database throws(QueueFileError) in
      try file.check {
        try Row.fetchAll(
          database, sql: "SELECT attempts, record FROM mutation ORDER BY sequence LIMIT ?",
          arguments: [max(limit, 0)]
        ).compactMap { row in
          try? Mutation(record: row.bytes("record"), attempts: row.value("attempts"))
        }
      }
    }
  }

  /// The oldest mutations that were set aside; damaged ones are left out.
  func rejected(limit: Int) async throws(QueueFileError) -> [RejectedMutation] {
    try await file.perform { [file] database throws(QueueFileError) in
      try file.check {
        try Row.fetchAll(
          database, sql: "SELECT attempts, reason, record FROM rejected ORDER BY sequence LIMIT ?",
          arguments: [max(limit, 0)]
        ).compactMap { row in
          guard let mutation = try? Mutation(record: row.bytes("record"), attempts: row.value("attempts"))
          else { return nil }
          return RejectedMutation(mutation: mutation, reason: try row.value("reason"))
        }
      }
    }
  }

  /// Removes a mutation from those set aside, or all of them.
  func discardRejected(_ id: String?) async throws(QueueFileError) {
    try await file.perform { [file] database throws(QueueFileError) in
      try file.commit(in: database) {
        try database.execute(
          sql: "DELETE FROM rejected WHERE ?1 IS NULL OR id = ?1", arguments: [id])
      }
    }
  }
}
#endif
