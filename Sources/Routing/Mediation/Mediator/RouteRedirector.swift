/// Redirects URLs before they are matched, for instance by rules that a server sends.
///
/// `RedirectTables` in the module `RouteRedirects` is one. A redirector cannot extend a caller's permissions:
/// the new URL is matched for the same caller, and a URL whose route is not exposed to the caller is not
/// redirected. A call follows at most 8 redirects.
public protocol RouteRedirector: Sendable {
  /// Returns the rules for a new call, or nil if no URL is redirected.
  ///
  /// Called once for each call, from any task. The call uses these rules until it ends.
  func snapshot() -> (any RedirectSnapshot)?
}

/// A redirector that checks its rules against the mediator's routes.
package protocol CheckingRedirector: RouteRedirector {
  /// Receives the routes of a mediator when it is created, and returns the faults that prevent its use.
  ///
  /// Called before the mediator's first call. The mediator's initializer throws the faults.
  func connect(to routes: RedirectableRoutes) -> [RouteTableIssue.Fault]
}
