#if SQLite
import DurableQueues
import GRDB
import Interception

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
