import Interception

/// The continuation of a task that waits for a value or a `NetworkError`.
typealias TypedContinuation<Value: Sendable> = CheckedContinuation<Result<Value, NetworkError>, Never>

/// Waits until `begin`'s continuation is resumed; `stop` is called if the task is cancelled, possibly before
/// `begin`.
func awaitOutcome<Value: Sendable>(
  _ begin: (TypedContinuation<Value>) -> Void, stop: @Sendable () -> Void
) async throws(NetworkError) -> Value {
  let outcome = await withTaskCancellationHandler {
    await withCheckedContinuation { begin($0) }
  } onCancel: {
    stop()
  }
  return try outcome.get()
}
