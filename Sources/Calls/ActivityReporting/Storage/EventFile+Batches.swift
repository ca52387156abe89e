#if SQLite
import DurableQueues
import GRDB
import Interception

extension EventFile {
  /// A batch with its events.
  struct FormedBatch: Sendable {
    var id: String
    /// The account that the events were recorded for.
    var account: String
    var events: [ActivityEvent] = []
    var sequences: [Int64] = []
    var amount = UploadPlan.Amount()
    var lost: ActivityLoss
  }

  /// The maximum number of events that a transaction removes because of their age.
  private static let maximumExpired = 1_000

  /// Stores a batch with the oldest events of an account; events that are too old are removed first, of
  /// whichever account.
  func form(
    _ wanted: UploadPlan.BatchLimits, of account: String, id: String, in database: Database
  ) throws(QueueFileError) {
    let isComplete = try change(of: account, in: database) { plan -> Bool in
      guard try !removeExpired(&plan, in: database) else { return false }
      plan.account = account
      var (first, last) = (nil as Int64?, nil as Int64?)
      var amount = UploadPlan.Amount()
      let rows = try Row.fetchCursor(
        database,
        sql: "SELECT sequence, size FROM event WHERE sequence > ? AND account = ? ORDER BY sequence LIMIT ?",
        arguments: [plan.head, account, wanted.count])
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
    if !isComplete { try form(wanted, of: account, id: id, in: database) }
  }

  /// Removes events that are too old; returns whether there may be more.
  private func removeExpired(_ plan: inout UploadPlan, in database: Database) throws -> Bool {
    let oldest = state.clock.seconds &- limits.age.components.seconds
    try abandonExpiredBatches(&plan, before: oldest, in: database)
    let rows = try Row.fetchAll(
      database, sql: "SELECT sequence, size, recorded, account FROM event ORDER BY sequence LIMIT ?",
      arguments: [Self.maximumExpired])
    var removed: [Int64] = []
    for row in try rows.prefix(while: { try $0.value("recorded", as: Int64.self) < oldest }) {
      let (sequence, account) = (
        try row.value("sequence", as: Int64.self), try row.value("account", as: String.self)
      )
      if plan.isInBatch(sequence, of: account) { continue }
      var loss = ActivityLoss()
      loss.beyondAge = 1
      plan.account = account
      plan.lose(loss, UploadPlan.Amount(count: 1, bytes: try row.value("size")))
      plan.advance(to: sequence)
      removed.append(sequence)
    }
    try delete(removed, in: database)
    return removed.count == Self.maximumExpired
  }

  /// Forgets the batches of other accounts whose last events are too old; those of a batch leave together,
  /// because a repeat has the same ones.
  private func abandonExpiredBatches(
    _ plan: inout UploadPlan, before oldest: Int64, in database: Database
  ) throws {
    for (account, lane) in plan.lanes {
      guard let batch = lane.batch else { continue }
      let newest = try Int64.fetchOne(
        database, sql: "SELECT max(recorded) FROM event WHERE account = ? AND sequence BETWEEN ? AND ?",
        arguments: [account, batch.first, batch.last])
      guard newest ?? .min < oldest else { continue }
      plan.account = account
      plan.abandonBatch()
    }
  }

  /// Reads the stored batch; damaged events are set aside.
  ///
  /// - Returns: The batch; nil if none of its events is left.
  func read(
    _ batch: UploadPlan.Batch, of account: String, in database: Database
  ) throws(QueueFileError) -> FormedBatch? {
    let (formed, damaged) = try file.check {
      var formed = FormedBatch(id: batch.id, account: account, lost: batch.lost)
      var damaged: [(sequence: Int64, size: Int)] = []
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT sequence, size, record FROM event WHERE account = ? AND sequence BETWEEN ? AND ?
          ORDER BY sequence
          """, arguments: [account, batch.first, batch.last])
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
      try change(of: account, in: database) { plan in
        for (sequence, size) in damaged {
          plan.waiting -= UploadPlan.Amount(count: 1, bytes: size)
          plan.setAsideCount += 1
          try moveToRefused(sequence, status: 0, &plan, in: database)
        }
      }
    }
    guard formed.events.isEmpty else { return formed }
    try change(of: account, in: database) { plan in
      plan.abandonBatch()
      plan.advance(to: batch.last)
    }
    return nil
  }

  /// Applies the verdict on a batch, unless the batch has been purged meanwhile.
  func settle(
    _ formed: FormedBatch, _ verdict: DeliveryVerdict, batchCount: Int, random: Double, in database: Database
  ) throws(QueueFileError) {
    guard state.plan.of(formed.account).batch?.id == formed.id else { return }
    try change(of: formed.account, in: database) { plan in
      let outcome = plan.settle(
        verdict, sequences: formed.sequences, amount: formed.amount, batchCount: batchCount,
        now: state.time.wallTime(), random: random)
      switch outcome {
      case .keep: break
      case .remove(let batch):
        try database.execute(
          sql: "DELETE FROM event WHERE account = ? AND sequence BETWEEN ? AND ?",
          arguments: [formed.account, batch.first, batch.last])
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
      sql: "INSERT OR REPLACE INTO refused SELECT sequence, ?, record, account FROM event WHERE sequence = ?",
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
