import Synchronization

/// A value that changes on other threads, and that a test can wait for.
public final class Watched<Value: Sendable>: Sendable {
  private struct Waiter {
    let condition: @Sendable (Value) -> Bool
    let continuation: CheckedContinuation<Value, Never>
  }

  private struct State {
    var value: Value
    var waiters: [Waiter] = []
  }

  private let state: Mutex<State>

  /// Makes a watched value.
  public init(_ value: Value) { state = Mutex(State(value: value)) }

  /// The value at this moment.
  public var value: Value { state.withLock { $0.value } }

  /// Changes the value, and wakes those whose condition holds now.
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

  /// Returns once the condition holds; a test's time limit bounds the wait.
  @discardableResult
  public func wait(until condition: @escaping @Sendable (Value) -> Bool) async -> Value {
    await withCheckedContinuation { continuation in
      let value: Value? = state.withLock { state in
        if condition(state.value) { return state.value }
        state.waiters.append(Waiter(condition: condition, continuation: continuation))
        return nil
      }
      if let value { continuation.resume(returning: value) }
    }
  }
}
