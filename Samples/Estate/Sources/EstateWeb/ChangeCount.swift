/// Counts the changes of the app, and lets streams of events wait for the next one.
@MainActor final class ChangeCount {
  private(set) var value = 0
  private var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
  private var lastWaiter = 0
  private(set) var isClosed = false

  func increment() {
    value += 1
    resumeAll()
  }

  /// Ends all waiting, now and from now on.
  func close() {
    isClosed = true
    resumeAll()
  }

  /// Returns when the count is above a value, the limit has passed, or the count was closed.
  func wait(after known: Int, limit: Duration) async {
    guard value <= known, !isClosed else { return }
    lastWaiter += 1
    let waiter = lastWaiter
    let timer = Task {
      try? await Task.sleep(for: limit)
      waiters.removeValue(forKey: waiter)?.resume()
    }
    await withCheckedContinuation { waiters[waiter] = $0 }
    timer.cancel()
  }

  private func resumeAll() {
    let all = waiters
    waiters = [:]
    for waiter in all.values { waiter.resume() }
  }
}
