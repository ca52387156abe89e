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
        sequence INTEGER PRIMARY KEY, recorded INTEGER NOT NULL, size INTEGER NOT NULL, record BLOB NOT NULL
      );
      CREATE TABLE refused (sequence INTEGER PRIMARY KEY, status INTEGER NOT NULL, record BLOB NOT NULL);
      CREATE TABLE plan (id INTEGER PRIMARY KEY CHECK (id = 1), record BLOB NOT NULL);
      """)

  let file: QueueFile
  let state: LogState
  let limits: ActivityLimits

  init(
    path: String, limits: ActivityLimits, synchronizesCommits: Bool, maximumPages: Int?, time: TimeSource,
    executor: QueueFile.Executor? = nil
  ) throws(QueueFileError) {
    let (file, plan) = try QueueFile.open(
      path, format: Self.format, synchronizesCommits: synchronizesCommits, maximumPages: maximumPages,
      now: time.wallTime(), executor: executor, salvage: { try Self.salvage($0, limits: limits) }
    ) { database in
      try Self.load(database)
    }
    self.file = file
    self.limits = limits
    state = LogState(plan, maximumAge: limits.age, time: time)
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
    var amount = UploadPlan.Amount()
    var (first, last) = (Int64?.none, plan.head)
    try salvage.copy("event", maximumCount: limits.count) { sequence, row in
      guard sequence > plan.head, let record = try? row.bytes("record"),
        (try? row.value("size", as: Int.self)) == record.count, (try? ActivityEvent(record: record)) != nil
      else { return false }
      first = first ?? sequence
      last = sequence
      amount += UploadPlan.Amount(count: 1, bytes: record.count)
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
    if stored == nil, let first { plan.head = first - 1 }
    // Without the plan, the gaps between the numbers tell how many are lost.
    let expected = stored?.waiting.count ?? Int(clamping: last - plan.head)
    var loss = ActivityLoss()
    loss.damaged = max(expected - amount.count, 0) + max(plan.setAsideCount - setAsideCount, 0)
    plan.lose(loss, UploadPlan.Amount())
    (plan.waiting, plan.setAsideCount) = (amount, setAsideCount)
    plan.lastSequence = max(plan.lastSequence, last)
    try salvage.intact.execute(
      sql: "INSERT INTO plan VALUES (1, ?)", arguments: [StoredBytes(plan.record)])
  }

  /// Changes the plan, and the events with it, in one transaction; if it fails, nothing has changed.
  func change<Value>(
    in database: Database, _ work: (inout UploadPlan) throws -> Value
  ) throws(QueueFileError) -> Value {
    var plan = state.plan
    let value = try file.commit(in: database) {
      let value = try work(&plan)
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
      let insertion = try database.cachedStatement(sql: "INSERT INTO event VALUES (?, ?, ?, ?)")
      let now = state.clock.seconds
      for event in events {
        plan.lastSequence += 1
        try insertion.execute(
          arguments: [plan.lastSequence, now, event.record.count, StoredBytes(event.record)])
        plan.waiting += UploadPlan.Amount(count: 1, bytes: event.record.count)
      }
      try removeBeyondLimits(&plan, in: database)
    }
  }

  private func removeBeyondLimits(_ plan: inout UploadPlan, in database: Database) throws {
    while plan.waiting.count > limits.count || plan.waiting.bytes > limits.bytes {
      // The batch's events are those that the server may already have.
      let start = max(plan.head, plan.batch?.last ?? 0)
      let rows = try Row.fetchAll(
        database, sql: "SELECT sequence, size FROM event WHERE sequence > ? ORDER BY sequence LIMIT 100",
        arguments: [start])
      var last: Int64?
      for row in rows {
        var loss = ActivityLoss()
        if plan.waiting.count > limits.count {
          loss.beyondCount = 1
        } else if plan.waiting.bytes > limits.bytes {
          loss.beyondBytes = 1
        } else {
          break
        }
        last = try row.value("sequence")
        plan.lose(loss, UploadPlan.Amount(count: 1, bytes: try row.value("size")))
      }
      guard let last else { return }
      try database.execute(
        sql: "DELETE FROM event WHERE sequence > ? AND sequence <= ?", arguments: [start, last])
    }
  }
}

/// An event that is to be stored.
struct StoredEvent: Sendable {
  let record: [UInt8]
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
        if let batch = plan.batch { plan.unreported += batch.lost }
        plan.batch = nil
        plan.waiting = UploadPlan.Amount()
        plan.advance(to: plan.lastSequence)
      }
    }
  }

  /// Moves the events that were set aside to the end of the queue; damaged ones are removed.
  func restore(in database: Database) throws(QueueFileError) {
    try change(in: database) { plan in
      let rows = try Row.fetchCursor(database, sql: "SELECT record FROM refused ORDER BY sequence")
      let now = state.clock.seconds
      while let row = try rows.next() {
        let record = try row.bytes("record")
        guard (try? ActivityEvent(record: record)) != nil else { continue }
        plan.lastSequence += 1
        try database.execute(
          sql: "INSERT INTO event VALUES (?, ?, ?, ?)",
          arguments: [plan.lastSequence, now, record.count, StoredBytes(record)])
        plan.waiting += UploadPlan.Amount(count: 1, bytes: record.count)
      }
      try database.execute(sql: "DELETE FROM refused")
      plan.setAsideCount = 0
    }
  }
}
#endif
