#if SQLite
import DurableQueues
import GRDB
import Interception

/// The file of an ``ActivityLog``: its events, and the plan that is stored with each change of them.
///
/// Functions with a `Database` are called on the thread of its connection.
final class EventFile: Sendable {
  /// "SwAL" in ASCII.
  private static let format = QueueFile.Format(
    applicationID: 0x5377_414C,
    schema: """
      CREATE TABLE event (
        sequence INTEGER PRIMARY KEY, recorded INTEGER NOT NULL, size INTEGER NOT NULL, record BLOB NOT NULL,
        account TEXT NOT NULL DEFAULT ''
      );
      CREATE TABLE refused (
        sequence INTEGER PRIMARY KEY, status INTEGER NOT NULL, record BLOB NOT NULL,
        account TEXT NOT NULL DEFAULT ''
      );
      CREATE TABLE plan (id INTEGER PRIMARY KEY CHECK (id = 1), record BLOB NOT NULL);
      """,
    version: 2,
    upgrade: { database in
      // For whom events were recorded before version 2 isn't known, so they belong to no account.
      for table in ["event", "refused"] {
        try database.execute(sql: "ALTER TABLE \(table) ADD COLUMN account TEXT NOT NULL DEFAULT ''")
      }
    })

  let file: QueueFile
  let state: LogState
  let limits: ActivityLimits

  init(
    path: String, limits: ActivityLimits, synchronizesCommits: Bool, maximumPages: Int?, account: String,
    time: TimeSource, executor: QueueFile.Executor? = nil
  ) throws(QueueFileError) {
    let (file, plan) = try QueueFile.open(
      path, format: Self.format, synchronizesCommits: synchronizesCommits, maximumPages: maximumPages,
      now: time.wallTime(), executor: executor, salvage: { try Self.salvage($0, limits: limits) }
    ) { database in
      try Self.load(database)
    }
    self.file = file
    self.limits = limits
    state = LogState(plan, account: account, maximumAge: limits.age, time: time)
  }

  private static func load(_ database: Database) throws -> UploadPlan {
    guard let row = try Row.fetchOne(database, sql: "SELECT record FROM plan") else { return UploadPlan() }
    var plan = try UploadPlan(record: row.bytes("record"))
    // The newest event is read too: an index that leads nowhere is damage.
    let last = try Int64.fetchOne(database, sql: "SELECT max(sequence) FROM event") ?? 0
    plan.lastSequence = max(plan.lastSequence, last)
    return plan
  }

  /// Copies the intact events of a damaged file, and its plan, if that is intact; counts what is lost.
  ///
  /// With its plan a batch that may have been sent keeps its ID.
  private static func salvage(_ salvage: Salvage, limits: ActivityLimits) throws {
    let row = try? Row.fetchOne(salvage.damaged, sql: "SELECT record FROM plan")
    let stored = row.flatMap { try? UploadPlan(record: $0.bytes("record")) }
    var plan = stored ?? UploadPlan()
    var found: [String: (first: Int64, amount: UploadPlan.Amount)] = [:]
    var last: Int64 = 0
    try salvage.copy("event", maximumCount: limits.count) { sequence, row in
      // A file of version 1 has no accounts.
      let account = (try? row.value("account", as: String.self)) ?? ""
      // Of an account that the plan doesn't know, nothing has left the queue.
      guard sequence > plan.lanes[account]?.head ?? 0, let record = try? row.bytes("record"),
        (try? row.value("size", as: Int.self)) == record.count, (try? ActivityEvent(record: record)) != nil
      else { return false }
      last = sequence
      found[account, default: (sequence, UploadPlan.Amount())].amount +=
        UploadPlan.Amount(count: 1, bytes: record.count)
      return true
    }
    var setAsideCount = 0
    try salvage.copy("refused", maximumCount: limits.setAsideCount) { _, row in
      guard let record = try? row.bytes("record"), (try? ActivityEvent(record: record)) != nil else {
        return false
      }
      setAsideCount += 1
      return true
    }
    let first = found.values.map(\.first).min() ?? last + 1
    let count = found.values.reduce(0) { $0 + $1.amount.count }
    // Without the plan, the gaps between the numbers tell how many are lost.
    let expected = stored?.allWaiting.count ?? Int(clamping: last - first + 1)
    var loss = ActivityLoss()
    loss.damaged = max(expected - count, 0) + max(plan.setAsideCount - setAsideCount, 0)
    // Whose they were isn't known.
    plan.lose(loss, UploadPlan.Amount())
    for account in Set(plan.lanes.keys).union(found.keys) {
      plan.account = account
      if let (first, amount) = found[account] {
        if stored == nil { plan.head = first - 1 }
        plan.waiting = amount
      } else {
        plan.waiting = UploadPlan.Amount()
      }
    }
    plan.setAsideCount = setAsideCount
    plan.lastSequence = max(plan.lastSequence, last)
    try salvage.intact.execute(
      sql: "INSERT INTO plan VALUES (1, ?)", arguments: [StoredBytes(plan.record)])
  }

  /// Changes the plan, and the events with it, in one transaction; if it fails, nothing has changed.
  ///
  /// - Parameter account: The account whose events are concerned.
  func change<Value>(
    of account: String = "", in database: Database, _ work: (inout UploadPlan) throws -> Value
  ) throws(QueueFileError) -> Value {
    var plan = state.plan.of(account)
    let value = try file.commit(in: database) {
      let value = try work(&plan)
      plan.account = account
      plan.forgetIdleLanes()
      plan.clock = state.clock
      try database.cachedStatement(sql: "INSERT OR REPLACE INTO plan VALUES (1, ?)")
        .execute(arguments: [StoredBytes(plan.record)])
      return value
    }
    state.commit(plan)
    return value
  }

  /// Stores events, and removes the oldest ones beyond the limits.
  func append(_ events: [StoredEvent], in database: Database) throws(QueueFileError) {
    try change(in: database) { plan in
      let insertion = try database.cachedStatement(sql: "INSERT INTO event VALUES (?, ?, ?, ?, ?)")
      let now = state.clock.seconds
      for event in events {
        let sequence = plan.append(bytes: event.record.count, of: event.account)
        try insertion.execute(
          arguments: [sequence, now, event.record.count, StoredBytes(event.record), event.account])
      }
      try removeBeyondLimits(&plan, in: database)
    }
  }

  private func removeBeyondLimits(_ plan: inout UploadPlan, in database: Database) throws {
    var waiting = plan.allWaiting
    guard waiting.count > limits.count || waiting.bytes > limits.bytes else { return }
    var removed: [Int64] = []
    let rows = try Row.fetchCursor(
      database, sql: "SELECT sequence, size, account FROM event ORDER BY sequence")
    while let row = try rows.next() {
      var loss = ActivityLoss()
      if waiting.count > limits.count {
        loss.beyondCount = 1
      } else if waiting.bytes > limits.bytes {
        loss.beyondBytes = 1
      } else {
        break
      }
      let (sequence, account) = (
        try row.value("sequence", as: Int64.self), try row.value("account", as: String.self)
      )
      // The events of a batch are those that the server may already have.
      if plan.isInBatch(sequence, of: account) { continue }
      let amount = UploadPlan.Amount(count: 1, bytes: try row.value("size"))
      removed.append(sequence)
      waiting -= amount
      plan.account = account
      plan.lose(loss, amount)
    }
    try delete(removed, in: database)
  }

  /// Deletes events by their numbers.
  func delete(_ sequences: [Int64], in database: Database) throws {
    let deletion = try database.cachedStatement(sql: "DELETE FROM event WHERE sequence = ?")
    for sequence in sequences { try deletion.execute(arguments: [sequence]) }
  }
}

/// An event that is to be stored.
struct StoredEvent: Sendable {
  let record: [UInt8]
  /// The account that it was recorded for; an empty text for no account.
  let account: String
}

extension EventFile {
  /// The oldest events that wait or were set aside; damaged ones are left out.
  func events(
    _ part: ActivityLog.Part, limit: Int, in database: Database
  ) throws(QueueFileError) -> [ActivityEvent] {
    let table = part == .waiting ? "event" : "refused"
    return try file.check {
      let rows = try Row.fetchAll(
        database, sql: "SELECT record FROM \(table) ORDER BY sequence LIMIT ?", arguments: [max(limit, 0)])
      return rows.compactMap { try? ActivityEvent(record: $0.bytes("record")) }
    }
  }

  /// Removes all events that wait, with the batch, or all that were set aside.
  func purge(_ part: ActivityLog.Part, in database: Database) throws(QueueFileError) {
    try change(in: database) { plan in
      switch part {
      case .setAside:
        try database.execute(sql: "DELETE FROM refused")
        plan.setAsideCount = 0
      case .waiting:
        try database.execute(sql: "DELETE FROM event")
        plan.empty()
      }
    }
  }

  /// Moves the events that were set aside to the end of the queue; damaged ones are removed.
  func restore(in database: Database) throws(QueueFileError) {
    try change(in: database) { plan in
      let rows = try Row.fetchCursor(database, sql: "SELECT record, account FROM refused ORDER BY sequence")
      let now = state.clock.seconds
      while let row = try rows.next() {
        let record = try row.bytes("record")
        guard (try? ActivityEvent(record: record)) != nil else { continue }
        let account = try row.value("account", as: String.self)
        let sequence = plan.append(bytes: record.count, of: account)
        try database.execute(
          sql: "INSERT INTO event VALUES (?, ?, ?, ?, ?)",
          arguments: [sequence, now, record.count, StoredBytes(record), account])
      }
      try database.execute(sql: "DELETE FROM refused")
      plan.setAsideCount = 0
    }
  }
}
#endif
