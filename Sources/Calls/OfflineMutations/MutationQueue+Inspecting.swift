#if SQLite
import DurableQueues
import Interception
import ObservedValues

extension MutationQueue {
  /// The number of mutations of all accounts that wait or are being sent.
  ///
  /// It is not read from the file.
  package var pendingCount: Int { delivery.count }

  /// What a screen shows of the queue.
  ///
  /// `Observation` tracks it. It follows the queue on the main actor: a reader is notified there once,
  /// however many changes there were meanwhile.
  @MainActor public var state: State { delivery.observed.value }

  /// The changes from now on, including those by other callers.
  ///
  /// A stream keeps the latest 256 until they are read.
  ///
  /// It ends with ``close()``.
  public var changes: AsyncStream<MutationChange> { delivery.changes.values() }

  /// Returns the mutations of all accounts that wait or are being sent, in the order in which they were
  /// enqueued.
  ///
  /// - Parameter limit: The maximum number of mutations; 100 by default.
  public func pending(limit: Int = 100) async throws(QueueError) -> [Mutation] {
    do throws(QueueFileError) { return try await storage.pending(limit: limit) } catch {
      throw QueueError(error)
    }
  }

  /// Removes a mutation that isn't being sent.
  ///
  /// The server may have processed it already if its `attempts` are not 0. The next mutation of the resource
  /// is sent in its place.
  ///
  /// - Returns: Whether it was removed; false if it is being sent, or has left the queue.
  @discardableResult
  public func cancel(_ id: Mutation.ID) async throws(QueueError) -> Bool {
    do throws(QueueFileError) {
      guard let waiting = try await storage.waiting(id),
        delivery.change({ $0.hold(id, in: waiting.key) })
      else { return false }
      do throws(QueueFileError) {
        try await storage.remove(waiting.entry)
      } catch {
        // It is still in the file, so it keeps its place.
        delivery.change { $0.release(id, in: waiting.key) }
        throw error
      }
      _ = delivery.change { $0.cancel(id, in: waiting.key) }
    } catch { throw QueueError(error) }
    delivery.report(.cancelled(id: id))
    return true
  }

  /// Returns the mutations that the server has refused, in the order in which they were enqueued.
  ///
  /// - Parameter limit: The maximum number of mutations; 100 by default.
  public func rejected(limit: Int = 100) async throws(QueueError) -> [RejectedMutation] {
    do throws(QueueFileError) { return try await storage.rejected(limit: limit) } catch {
      throw QueueError(error)
    }
  }

  /// Removes a mutation from those that the server has refused; all of them without an ID.
  public func discardRejected(_ id: Mutation.ID? = nil) async throws(QueueError) {
    do throws(QueueFileError) { try await storage.discardRejected(id) } catch {
      throw QueueError(error)
    }
  }
}

extension MutationQueue {
  /// What a screen shows of a queue.
  public struct State: Sendable, Hashable {
    /// The number of mutations that wait or are being sent, of all accounts.
    public internal(set) var pendingCount: Int
    /// Why the latest delivery that has ended failed or was refused, as in ``MutationChange``, or why the
    /// queue's file can't record it; nil if it succeeded, and before the first one.
    public internal(set) var failure: String?
  }
}

#endif
