package import Interception
import Synchronization

/// The task that delivers what a queue has stored; there is at most one at a time.
package final class DeliveryTask: Sendable {
  private struct State {
    var task: Task<Void, Never>?
    var isRunning = false
  }

  private let state = Mutex(State())

  /// Creates a task that isn't running.
  package init() {}

  deinit { state.withLock { $0.task }?.cancel() }

  /// Starts the task, unless it is running; it begins when one that was stopped before has ended.
  ///
  /// - Parameters:
  ///   - prepare: Called before the task is started, under the lock, and not concurrently.
  ///   - run: The work, which ends when the task is cancelled.
  package func start<Prepared: Sendable>(
    priority: TaskPriority, preparing prepare: () -> Prepared,
    _ run: @escaping @Sendable (Prepared) async -> Void
  ) {
    state.withLock { state in
      guard !state.isRunning else { return }
      state.isRunning = true
      let prepared = prepare()
      state.task = Task(priority: priority) { [previous = state.task] in
        await previous?.value
        await run(prepared)
      }
    }
  }

  /// Cancels the task, and returns when it has ended.
  package func stop() async {
    let task = state.withLock { state in
      state.isRunning = false
      state.task?.cancel()
      return state.task
    }
    await task?.value
  }
}

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
