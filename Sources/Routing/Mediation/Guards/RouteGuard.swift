/// A condition for opening routes: logged in, of age, feature enabled.
///
/// Use a guard if several routes share a condition or if the user must do something first. Use `exposure` to
/// restrict the callers, and the route's own code for a condition of that route alone. A guard that throws
/// refuses the call.
public protocol RouteGuard: Sendable {
  /// The guard's name in errors and events, unique in a mediator.
  var id: String { get }
  /// Guards with a higher priority run first, those with equal priority by id; 0 by default.
  var priority: Int { get }
  /// The maximum time for a decision; nil by default, which means no limit.
  ///
  /// A detour that the guard requests does not count. A guard that exceeds the deadline is cancelled and no
  /// longer awaited, and the call ends in `RouteError.overdue`.
  var deadline: Duration? { get }
  /// Decides about a route that matches, is exposed to the caller and has valid parameters.
  func check(_ target: RouteSummary, _ context: RouteContext) async throws -> GuardVerdict
}

extension RouteGuard {
  /// 0.
  public var priority: Int { 0 }
  /// No deadline.
  public var deadline: Duration? { nil }
}

extension [any RouteGuard] {
  /// The guards in the order in which they run.
  var ordered: [any RouteGuard] {
    sorted { ($1.priority, $0.id) < ($0.priority, $1.id) }
  }
}
