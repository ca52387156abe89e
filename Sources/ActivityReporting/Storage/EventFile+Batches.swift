#if SQLite
import DurableQueues
import GRDB
import Interception

extension EventFile {
  /// A batch with its events.
  struct FormedBatch: Sendable {
    var id: String
    var events: [ActivityEvent] = []
    var sequences: [Int64] = []
    var amount = UploadPlan.Amount()
    var lost: ActivityLoss
  }

  /// The maximum number of events that a transaction removes because of their age.
  private static let maximumExpired = 1_000

  /// Stores a batch with the oldest events; events that are too old or damaged are removed first.
  func form(_ wanted: UploadPlan.BatchLimits, id: String, in database: Database) throws(QueueFileError) {
    let isComplete = try change(in: database) { plan -> Bool in
      guard try !removeExpired(&plan, in: database) else { return false }
      var (first, last) = (nil as Int64?, nil as Int64?)
      var amount = UploadPlan.Amount()
      let rows = try Row.fetchCursor(
        database, sql: "SELECT sequence, size FROM event WHERE sequence > ? ORDER BY sequence LIMIT ?",
        arguments: [plan.head, wanted.count])
      while let row = try rows.next() {
        let (sequence, size) = (
          try row.value("sequence", as: Int64.self), try row.value("size", as: Int.self)
        )
        if let end = wanted.through, sequence > end { break }
        guard first == nil || amount.bytes + size <= wanted.bytes else { break }
        first = first ?? sequence
        last = sequence
        amount += UploadPlan.Amount(count: 1, bytes: size)
      }
      guard let first, let last else {
        // Nothing is left up to the end of the range.
        if let end = wanted.through { plan.advance(to: end) } else { plan.waiting = UploadPlan.Amount() }
        return true
      }
      plan.begin(id: id, first: first, last: last)
      return true
    }
    // The rest of the expired events has its own transaction.
    if !isComplete { try form(wanted, id: id, in: database) }
  }

  /// Removes events that are too old; returns whether there may be more.
  private func removeExpired(_ plan: inout UploadPlan, in database: Database) throws -> Bool {
    let oldest = state.clock.seconds &- limits.age.components.seconds
    let rows = try Row.fetchAll(
      database,
      sql: "SELECT sequence, size, recorded FROM event WHERE sequence > ? ORDER BY sequence LIMIT ?",
      arguments: [plan.head, Self.maximumExpired])
    let expired = try rows.prefix { try $0.value("recorded", as: Int64.self) < oldest }
    guard let last = expired.last else { return false }
    var loss = ActivityLoss()
    loss.beyondAge = expired.count
    let bytes = try expired.reduce(0) { $0 + (try $1.value("size", as: Int.self)) }
    plan.lose(loss, UploadPlan.Amount(count: expired.count, bytes: bytes))
    let end = try last.value("sequence", as: Int64.self)
    plan.advance(to: end)
    try database.execute(sql: "DELETE FROM event WHERE sequence <= ?", arguments: [end])
    return expired.count == Self.maximumExpired
  }

  /// Reads the stored batch; damaged events are set aside.
  ///
  /// - Returns: The batch; nil if none of its events is left.
  func read(_ batch: UploadPlan.Batch, in database: Database) throws(QueueFileError) -> FormedBatch? {
    let (formed, damaged) = try file.check {
      var formed = FormedBatch(id: batch.id, lost: batch.lost)
      var damaged: [(sequence: Int64, size: Int)] = []
      let rows = try Row.fetchCursor(
        database,
        sql: "SELECT sequence, size, record FROM event WHERE sequence BETWEEN ? AND ? ORDER BY sequence",
        arguments: [batch.first, batch.last])
      while let row = try rows.next() {
        let (sequence, size) = (
          try row.value("sequence", as: Int64.self), try row.value("size", as: Int.self)
        )
        guard let event = try? ActivityEvent(record: row.bytes("record")) else {
          damaged.append((sequence, size))
          continue
        }
        formed.events.append(event)
        formed.sequences.append(sequence)
        formed.amount += UploadPlan.Amount(count: 1, bytes: size)
      }
      return (formed, damaged)
    }
    if !damaged.isEmpty {
      try change(in: database) { plan in
        for (sequence, size) in damaged {
          plan.waiting -= UploadPlan.Amount(count: 1, bytes: size)
          plan.setAsideCount += 1
          try moveToRefused(sequence, status: 0, &plan, in: database)
        }
      }
    }
    guard formed.events.isEmpty else { return formed }
    try change(in: database) { plan in
      plan.unreported += batch.lost
      plan.batch = nil
      plan.advance(to: batch.last)
    }
    return nil
  }

  /// Applies the verdict on a batch, unless the batch has been purged meanwhile.
  func settle(
    _ formed: FormedBatch, _ verdict: DeliveryVerdict, batchCount: Int, random: Double, in database: Database
  ) throws(QueueFileError) {
    guard state.plan.batch?.id == formed.id else { return }
    try change(in: database) { plan in
      let outcome = plan.settle(
        verdict, sequences: formed.sequences, amount: formed.amount, batchCount: batchCount,
        now: state.time.wallTime(), random: random)
      switch outcome {
      case .keep: break
      case .remove(let batch):
        try database.execute(
          sql: "DELETE FROM event WHERE sequence BETWEEN ? AND ?", arguments: [batch.first, batch.last])
      case .setAside(_, let status):
        // Damaged events at the start of the batch were moved before.
        guard let sequence = formed.sequences.first else { break }
        try moveToRefused(sequence, status: status, &plan, in: database)
      }
    }
  }

  /// Moves an event to those set aside, of which the oldest are removed beyond the limit.
  private func moveToRefused(
    _ sequence: Int64, status: Int, _ plan: inout UploadPlan, in database: Database
  ) throws {
    try database.execute(
      sql: "INSERT OR REPLACE INTO refused SELECT sequence, ?, record FROM event WHERE sequence = ?",
      arguments: [status, sequence])
    try database.execute(sql: "DELETE FROM event WHERE sequence = ?", arguments: [sequence])
    let excess = plan.setAsideCount - limits.setAsideCount
    guard excess > 0 else { return }
    try database.execute(
      sql: "DELETE FROM refused WHERE sequence IN (SELECT sequence FROM refused ORDER BY sequence LIMIT ?)",
      arguments: [excess])
    plan.setAsideCount = limits.setAsideCount
    var loss = ActivityLoss()
    loss.beyondSetAside = excess
    plan.lose(loss, UploadPlan.Amount())
  }
}
#endif
