#if SQLite
import DurableQueues
import GRDB
import Interception

extension ActivityLog {
  /// The state of the log; it is not read from the file.
  public var stats: ActivityStats {
    let plan = storage.state.plan.of(uploader.account())
    let waiting = plan.allWaiting
    return ActivityStats(
      waitingCount: waiting.count, waitingBytes: waiting.bytes, setAsideCount: plan.setAsideCount,
      deliveredCount: plan.deliveredCount, lost: plan.lost, batchID: plan.batch?.id,
      failedUploads: plan.backOff.failures, nextUpload: plan.backOff.end,
      lastFailure: uploader.lastFailure ?? plan.lastFailure)
  }

  /// Returns the oldest events of a part, of all accounts.
  ///
  /// - Parameter limit: The maximum number of events; 100 by default.
  public func peek(_ part: Part = .waiting, limit: Int = 100) async throws(QueueError)
    -> [ActivityEvent]
  {
    try await perform { storage, database throws(QueueFileError) in
      try storage.events(part, limit: limit, in: database)
    }
  }

  /// Removes all events of a part, of all accounts; they don't count as lost.
  ///
  /// A batch that is being uploaded may be delivered, but is not sent again.
  public func purge(_ part: Part) async throws(QueueError) {
    try await perform { storage, database throws(QueueFileError) in
      try storage.purge(part, in: database)
    }
    uploader.signal.wake()
  }

  /// Moves the events that were set aside to the end of the queue, for example after the server was repaired.
  public func restore() async throws(QueueError) {
    try await perform { storage, database throws(QueueFileError) in try storage.restore(in: database) }
    uploader.signal.wake()
  }

  private func perform<Value: Sendable>(
    _ work: @escaping @Sendable (EventFile, Database) throws(QueueFileError) -> Value
  ) async throws(QueueError) -> Value {
    do throws(QueueFileError) {
      return try await storage.file.perform { [storage] database throws(QueueFileError) in
        try work(storage, database)
      }
    } catch { throw QueueError(error) }
  }
}

#endif
