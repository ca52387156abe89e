/// Watches what goes through a mediator: for analytics, logs and tests.
///
/// Observers change nothing; to change or refuse a navigation choose a `RouteGuard`. Called in the task of
/// the call, so be quick.
public protocol RouteObserver: Sendable {
  /// Takes note of an event.
  func observe(_ event: RouteEvent)
  /// Takes note of what happens to a module as a whole; by default nothing is done.
  func observe(_ event: ModuleEvent)
}

extension RouteObserver {
  /// Does nothing.
  public func observe(_ event: ModuleEvent) {}
}
