import SwitchyardTesting

/// A ``WaitableValue`` whose wait also ends when the task is cancelled, as it is when the test exceeds its
/// time limit; the test's expectations then show what is missing.
public final class Watched<Value: Sendable>: Sendable {
  private let state: WaitableValue<Value>

  /// Creates a watched value.
  public init(_ value: Value) { state = WaitableValue(value) }

  /// The current value.
  public var value: Value { state.value }

  /// Changes the value and resumes the tasks whose condition is now true.
  @discardableResult
  public func update<Result: Sendable>(_ change: @Sendable (inout Value) -> Result) -> Result {
    state.update(change)
  }

  /// Returns once the condition is true or the task is cancelled.
  @discardableResult
  public func wait(until condition: @escaping @Sendable (Value) -> Bool) async -> Value {
    (try? await state.wait(until: condition)) ?? state.value
  }
}
