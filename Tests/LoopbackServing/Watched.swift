import Synchronization

/// A value that other threads change, and that a test can wait for.
public final class Watched<Value: Sendable>: Sendable {
  private struct Waiter {
    let id: UInt64
    let condition: @Sendable (Value) -> Bool
    let continuation: CheckedContinuation<Value, Never>
  }

  private struct State {
    var value: Value
    var waiters: [Waiter] = []
    var lastWaiter: UInt64 = 0
  }

  private let state: Mutex<State>

  /// Creates a watched value.
  public init(_ value: Value) { state = Mutex(State(value: value)) }

  /// The current value.
  public var value: Value { state.withLock { $0.value } }

  /// Changes the value and resumes the tasks whose condition is now true.
  @discardableResult
  public func update<Result: Sendable>(_ change: @Sendable (inout Value) -> Result) -> Result {
    let (result, value, ready) = state.withLock { state in
      let result = change(&state.value)
      let value = state.value
      let ready = state.waiters.filter { $0.condition(value) }
      state.waiters.removeAll { $0.condition(value) }
      return (result, value, ready)
    }
    for waiter in ready { waiter.continuation.resume(returning: value) }
    return result
  }

  /// Returns once the condition is true or the task is cancelled, as it is when the test exceeds its time
  /// limit.
  @discardableResult
  public func wait(until condition: @escaping @Sendable (Value) -> Bool) async -> Value {
    let id = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let value: Value? = state.withLock { state in
          if condition(state.value) || Task.isCancelled { return state.value }
          state.waiters.append(Waiter(id: id, condition: condition, continuation: continuation))
          return nil
        }
        if let value { continuation.resume(returning: value) }
      }
    } onCancel: {
      let (waiter, value) = state.withLock { state in
        let index = state.waiters.firstIndex { $0.id == id }
        return (index.map { state.waiters.remove(at: $0) }, state.value)
      }
      waiter?.continuation.resume(returning: value)
    }
  }
}
