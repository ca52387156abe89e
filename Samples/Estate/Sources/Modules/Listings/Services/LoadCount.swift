/// Lets a route's body wait until the delegate was called for every load of a screen.
@MainActor final class LoadCount {
  private var running = 0
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// Whether the delegate has been called for every load.
  var isZero: Bool { running == 0 }

  /// Counts a load that was started.
  func begin() { running += 1 }

  /// Counts a call of the delegate.
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
