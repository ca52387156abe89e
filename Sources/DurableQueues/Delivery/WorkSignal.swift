package import Interception
import Synchronization

/// Wakes the task that delivers what a queue has stored: at once, or after a time.
package final class WorkSignal: Sendable {
  /// What the task waits for.
  package enum Wait: Sendable, Hashable {
    /// Nothing: it is at work, and checks for more before it waits.
    case none
    /// Anything new in the queue.
    case work
    /// The end of an interval, or enough for a batch.
    case batch
    /// The end of the back-off.
    case backOff
  }

  private struct State {
    var wait = Wait.none
    var continuation: AsyncStream<Void>.Continuation?
    var timer: Task<Void, Never>?
  }

  private let state = Mutex(State())
  private let time: TimeSource

  /// Creates a signal.
  package init(time: TimeSource) { self.time = time }

  /// Returns a stream with an element for each time that the task has to check for work, the first at once.
  package func makeStream() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    state.withLock { $0.continuation = continuation }
    continuation.yield()
    return stream
  }

  /// Wakes the task.
  package func wake() {
    let continuation = state.withLock { state in
      state.wait = .none
      return state.continuation
    }
    continuation?.yield()
  }

  /// Wakes the task if it waits for what was added.
  package func added(isBatchComplete: Bool) {
    let isAwaited = state.withLock { state in
      switch state.wait {
      case .none, .work: true
      case .batch: isBatchComplete
      case .backOff: false
      }
    }
    if isAwaited { wake() }
  }

  /// Records what the task waits for, and wakes it after a duration.
  package func wait(for wait: Wait, atMost duration: Duration? = nil) {
    let timer = duration.map { duration in
      Task(priority: .background) { [time, weak self] in
        guard (try? await time.sleep(for: duration)) != nil else { return }
        self?.wake()
      }
    }
    let previous = state.withLock { state in
      defer { state.timer = timer }
      state.wait = wait
      return state.timer
    }
    previous?.cancel()
  }

  /// Ends the timer.
  package func finish() { wait(for: .none) }
}
