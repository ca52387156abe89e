#if SQLite
import DurableQueues
import GRDB
import Synchronization

/// Lets events that are recorded at the same time share one transaction.
final class CommitQueue: Sendable {
  private struct Entry: Sendable {
    let event: StoredEvent
    let continuation: CheckedContinuation<QueueFileError?, Never>
  }

  private struct Waiting {
    var entries: [Entry] = []
    var bytes = 0
  }

  /// The maximum number of events that wait for the transaction before theirs.
  static let maximumCount = 10_000
  /// The number of bytes beyond which no further event waits.
  static let maximumBytes = 16 << 20

  private let file: EventFile
  private let waiting = Mutex(Waiting())
  private let committed: @Sendable () -> Void

  /// - Parameter committed: Called after each successful transaction, on the connection's thread.
  init(_ file: EventFile, committed: @escaping @Sendable () -> Void) {
    self.file = file
    self.committed = committed
  }

  /// Stores an event, and returns when its transaction has been committed.
  func append(_ event: StoredEvent) async throws(QueueError) {
    var isOverloaded = false
    let error = await withCheckedContinuation { continuation in
      let count = waiting.withLock { waiting -> Int? in
        guard waiting.entries.count < Self.maximumCount, waiting.bytes < Self.maximumBytes else { return nil }
        waiting.entries.append(Entry(event: event, continuation: continuation))
        waiting.bytes += event.record.count
        return waiting.entries.count
      }
      switch count {
      case nil:
        isOverloaded = true
        continuation.resume(returning: nil)
      // Later events wait for the transaction that this one begins.
      case 1: file.file.schedule { [self] database in commitAll(in: database) }
      default: break
      }
    }
    guard !isOverloaded else {
      throw QueueError(
        .queueFull,
        "Too many events already wait to be written to \"\(file.file.path)\"; record fewer "
          + "events, or check the load of the disk.")
    }
    if let error { throw QueueError(error) }
  }

  private func commitAll(in database: Database) {
    let entries = waiting.withLock { waiting in
      defer { waiting = Waiting() }
      return waiting.entries
    }
    var failure: QueueFileError?
    do throws(QueueFileError) {
      try file.append(entries.map(\.event), in: database)
    } catch { failure = error }
    for entry in entries { entry.continuation.resume(returning: failure) }
    if failure == nil { committed() }
  }
}
#endif
