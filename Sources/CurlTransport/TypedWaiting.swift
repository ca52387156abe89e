import Interception

/// Waits for a result that another thread delivers; `cancel` runs if the task is cancelled meanwhile.
///
/// The standard library's cancellation handler and continuations are not typed; this is the one place where
/// the error's type is carried past them, as a value. `start` must see to it that the continuation is resumed
/// once, also after `cancel`; `cancel` may run before `start`.
func waitForResult<Value: Sendable>(
  of start: (CheckedContinuation<Result<Value, NetworkError>, Never>) -> Void,
  onCancel cancel: @Sendable () -> Void
) async throws(NetworkError) -> Value {
  let result = await withTaskCancellationHandler {
    await withCheckedContinuation { start($0) }
  } onCancel: {
    cancel()
  }
  return try result.get()
}
