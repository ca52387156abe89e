/// Observes the calls to a mediator, for analytics, logs and tests.
///
/// Observers cannot change a call; to change or refuse one, use a `RouteGuard`. They are called in the task
/// of the call, so keep them fast.
public protocol RouteObserver: Sendable {
  /// Handles an event of a call.
  func observe(_ event: RouteEvent)
  /// Handles an event of a module; does nothing by default.
  func observe(_ event: ModuleEvent)
}

extension RouteObserver {
  /// Does nothing.
  public func observe(_ event: ModuleEvent) {}
}
