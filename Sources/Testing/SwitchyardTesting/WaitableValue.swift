import Synchronization

/// A value that other threads change, and that a task can wait for without polling.
package final class WaitableValue<Value: Sendable>: Sendable {
  private struct Waiter {
    let id: UInt64
    let condition: @Sendable (Value) -> Bool
    let continuation: CheckedContinuation<Result<Value, any Error>, Never>
  }

  private struct State {
    var value: Value
    var lastID: UInt64 = 0
    var cancelled: Set<UInt64> = []
    var waiters: [Waiter] = []
  }

  private let state: Mutex<State>

  /// Creates a waitable value.
  package init(_ value: Value) { state = Mutex(State(value: value)) }

  /// The current value.
  package var value: Value { state.withLock { $0.value } }

  /// Changes the value and resumes the tasks whose condition is now true.
  @discardableResult
  package func update<Result: Sendable>(_ change: @Sendable (inout Value) -> Result) -> Result {
    let (result, value, ready) = state.withLock { state in
      let result = change(&state.value)
      let value = state.value
      let ready = state.waiters.filter { $0.condition(value) }
      state.waiters.removeAll { $0.condition(value) }
      return (result, value, ready)
    }
    for waiter in ready { waiter.continuation.resume(returning: .success(value)) }
    return result
  }

  /// Returns the value as soon as the condition is true.
  ///
  /// - Throws: ``WaitTimeout`` after `limit` in real time, `CancellationError` if the task is cancelled.
  @discardableResult
  package func wait(
    within limit: Duration = .seconds(20), fileID: String = #fileID, line: Int = #line,
    until condition: @escaping @Sendable (Value) -> Bool
  ) async throws -> Value {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    let timer = Task {
      try await Task.sleep(for: limit)
      abandon(id, WaitTimeout("the condition is true of \(value)", limit, fileID, line))
    }
    defer { timer.cancel() }
    return try await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Result<Value, any Error>? = state.withLock { state in
          if condition(state.value) { return .success(state.value) }
          if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
          state.waiters.append(Waiter(id: id, condition: condition, continuation: continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      abandon(id, CancellationError())
    }.get()
  }

  private func abandon(_ id: UInt64, _ error: any Error) {
    let waiter = state.withLock { state -> Waiter? in
      guard let index = state.waiters.firstIndex(where: { $0.id == id }) else {
        if error is CancellationError { state.cancelled.insert(id) }
        return nil
      }
      return state.waiters.remove(at: index)
    }
    waiter?.continuation.resume(returning: .failure(error))
  }
}
