import Synchronization

final class InFlightCount: Sendable {
  private struct State {
    var count = 0
    var isWaitOver = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  func begin() { state.withLock { $0.count += 1 } }

  func end() {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.count -= 1
      guard state.count == 0 else { return nil }
      return state.waiter.take()
    }
    waiter?.resume()
  }

  /// Returns when no request is in flight, or after a time, or when the task is cancelled.
  ///
  /// It may be called once.
  func drained(within limit: Duration) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.drained() }
      group.addTask { try? await Task.sleep(for: limit) }
      await group.next()
      let waiter = state.withLock { state in
        state.isWaitOver = true
        return state.waiter.take()
      }
      waiter?.resume()
      group.cancelAll()
    }
  }

  private func drained() async {
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        if state.count == 0 || state.isWaitOver { return true }
        state.waiter = continuation
        return false
      }
      if isDone { continuation.resume() }
    }
  }
}
