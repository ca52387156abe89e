/// A continuation that is resumed with a value or a typed error.
package typealias ResultContinuation<Value: Sendable> = CheckedContinuation<
  Result<Value, NetworkError>, Never
>

/// Suspends the task until a continuation is resumed with a value or an error.
///
/// Continuations of the standard library do not throw typed errors, so the error is passed as a value.
///
/// - Parameters:
///   - start: Stores the continuation, which must be resumed exactly once, also after cancellation.
///   - cancel: Called if the task is cancelled, which may be before `start`.
package func waitForResult<Value: Sendable>(
  of start: (ResultContinuation<Value>) -> Void, onCancel cancel: @Sendable () -> Void
) async throws(NetworkError) -> Value {
  let result = await withTaskCancellationHandler {
    await withCheckedContinuation { start($0) }
  } onCancel: {
    cancel()
  }
  return try result.get()
}
