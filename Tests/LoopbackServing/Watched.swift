import SwitchyardTesting

/// A ``WaitableValue`` in public declarations, where a `package` type is not allowed.
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

  /// Returns the value as soon as the condition is true.
  ///
  /// - Throws: ``WaitTimeout`` after 20 s, `CancellationError` if the task is cancelled.
  @discardableResult
  public func wait(
    fileID: String = #fileID, line: Int = #line, until condition: @escaping @Sendable (Value) -> Bool
  ) async throws -> Value {
    try await state.wait(fileID: fileID, line: line, until: condition)
  }
}
