import CTaskRuntime

/// The task that calls.
@usableFromInline
enum CurrentTask {
  /// Whether it is cancelled, as `Task.isCancelled` says, in half the time: each step of a chain asks.
  @usableFromInline static var isCancelled: Bool { switchyard_task_is_cancelled() }
}
