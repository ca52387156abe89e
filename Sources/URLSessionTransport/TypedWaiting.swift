import Interception

/// The continuation of somebody who waits for a value or an error of the chain.
typealias TypedContinuation<Value: Sendable> = CheckedContinuation<Result<Value, NetworkError>, Never>

/// Waits until `begin`'s continuation is resumed; `stop` is called when the task is cancelled, also before
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
