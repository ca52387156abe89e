/// A condition on opening routes: logged in, of age, feature switched on.
///
/// Choose a guard when the same condition holds for several routes or the user must do something first.
/// Choose `exposure` to say who may call at all, and the route's own code for what concerns that route alone.
/// A guard that throws refuses.
public protocol RouteGuard: Sendable {
  /// A name for errors and events, unique among the guards of a mediator.
  var id: String { get }
  /// Higher ones are asked first; equal ones in the order of their ids. By default 0.
  var priority: Int { get }
  /// How long the guard may take to decide; by default nil, which is as long as it likes.
  ///
  /// A detour that the guard orders is not part of its decision. A guard that is late is cancelled and not
  /// waited for; the call ends in `RouteError.overdue`.
  var deadline: Duration? { get }
  /// Decides about a route that has matched, is exposed to the caller and whose parameters are legal.
  func check(_ target: RouteSummary, _ context: RouteContext) async throws -> GuardVerdict
}

extension RouteGuard {
  /// No preference.
  public var priority: Int { 0 }
  /// No deadline.
  public var deadline: Duration? { nil }
}

extension [any RouteGuard] {
  /// In the order in which they are asked.
  var ordered: [any RouteGuard] {
    sorted { ($1.priority, $0.id) < ($0.priority, $1.id) }
  }
}
