/// Lets a route's body wait until the delegate was called for every load of a screen.
@MainActor final class LoadCount {
  private var running = 0
  private var waiters: [CheckedContinuation<Void, Never>] = []

  var isZero: Bool { running == 0 }

  func begin() { running += 1 }

  func end() {
    running -= 1
    guard isZero else { return }
    let all = waiters
    waiters = []
    for waiter in all { waiter.resume() }
  }

  /// Waits until the count is zero; cancelling the task calls `cancel`, which must end all loads.
  func zero(cancelling cancel: @escaping @MainActor @Sendable () -> Void) async {
    guard !isZero else { return }
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiters.append($0) }
    } onCancel: {
      Task { await cancel() }
    }
  }
}
