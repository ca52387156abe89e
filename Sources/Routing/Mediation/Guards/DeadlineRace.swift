import Synchronization

/// Runs work against a deadline and returns the result of whichever finishes first.
///
/// Both run in separate tasks, because a task group would wait for work that ignores its cancellation.
package final class DeadlineRace<Value: Sendable>: Sendable {
  private struct State {
    var continuation: CheckedContinuation<Value, any Error>?
    var tasks: [Task<Void, Never>] = []
    var isOver = false
  }

  private let state = Mutex(State())

  /// Creates a race that has not started.
  package init() {}

  /// Runs both, and returns or throws what the first one returns or throws; the other one is cancelled.
  package func run(
    _ work: @escaping @Sendable () async throws -> Value,
    against deadline: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver = state.withLock { state in
          if !state.isOver { state.continuation = continuation }
          return state.isOver
        }
        if isOver {
          continuation.resume(throwing: CancellationError())
          return
        }
        start(work)
        start(deadline)
      }
    } onCancel: {
      finish(.failure(CancellationError()))
    }
  }

  private func start(_ side: @escaping @Sendable () async throws -> Value) {
    let task = Task {
      do {
        self.finish(.success(try await side()))
      } catch {
        self.finish(.failure(error))
      }
    }
    let isOver = state.withLock { state in
      if !state.isOver { state.tasks.append(task) }
      return state.isOver
    }
    if isOver { task.cancel() }
  }

  private func finish(_ result: Result<Value, any Error>) {
    let (continuation, tasks) = state.withLock { state in
      let taken = (state.continuation, state.tasks)
      state.continuation = nil
      state.tasks = []
      state.isOver = true
      return taken
    }
    for task in tasks { task.cancel() }
    continuation?.resume(with: result)
  }
}

extension Mediator {
  /// Returns a guard's verdict; throws `overdue` if the guard exceeds its deadline.
  func decision(
    of candidate: any RouteGuard, on target: RouteSummary, _ context: RouteContext
  ) async throws -> GuardVerdict {
    guard let limit = candidate.deadline else { return try await candidate.check(target, context) }
    let race = DeadlineRace<GuardVerdict>()
    return try await race.run {
      try await candidate.check(target, context)
    } against: { [clock] in
      try await clock.sleep(for: limit)
      throw RouteError.overdue(by: candidate.id, limit: limit)
    }
  }
}
