import Synchronization

/// The newest reported actions of all users, in memory.
final class ReportedActivity: Sendable {
  private struct State {
    var events: [ReportedEvent] = []
    var received = 0
    /// The identifiers of batches, the oldest first.
    var order: [String] = []
    var batches: Set<String> = []
  }

  /// The maximum number of events; the oldest ones are removed.
  static let capacity = 1000
  /// The maximum number of batches that are recognized; the oldest one is removed.
  static let batchCapacity = 1000

  private let state = Mutex(State())

  /// Adds the events of a batch; returns `false` if it was added before.
  func add(_ events: [ReportedEvent], of batch: String) -> Bool {
    state.withLock { state in
      guard state.batches.insert(batch).inserted else { return false }
      state.order.append(batch)
      if state.order.count > Self.batchCapacity { state.batches.remove(state.order.removeFirst()) }
      state.received += events.count
      state.events += events
      state.events.removeFirst(max(0, state.events.count - Self.capacity))
      return true
    }
  }

  /// Returns the newest events, the oldest first, and the number of all that were added.
  func newest(_ limit: Int) -> (events: [ReportedEvent], received: Int) {
    state.withLock { (Array($0.events.suffix(limit)), $0.received) }
  }
}
