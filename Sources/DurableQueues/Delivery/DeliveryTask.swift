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
