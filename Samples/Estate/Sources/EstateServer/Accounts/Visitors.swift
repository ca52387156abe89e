import Synchronization

/// The numbers of visits of devices by their random identifiers, in memory.
final class Visitors: Sendable {
  private struct State {
    var visits: [String: Int] = [:]
    /// The identifiers, the oldest first.
    var order: [String] = []
  }

  /// The maximum number of devices; the oldest one is removed.
  static let capacity = 1000

  private let state = Mutex(State())

  /// Counts a visit of a device; one without a known identifier gets a new one, 16 random bytes in
  /// hexadecimal.
  func visit(_ id: String?) -> (id: String, visits: Int) {
    state.withLock { state in
      if let id, let visits = state.visits[id] {
        state.visits[id] = visits + 1
        return (id, visits + 1)
      }
      var generator = SystemRandomNumberGenerator()
      let id = Hexadecimal.text(Hexadecimal.random(16, using: &generator))
      if state.order.count >= Self.capacity { state.visits[state.order.removeFirst()] = nil }
      state.order.append(id)
      state.visits[id] = 1
      return (id, 1)
    }
  }
}
