/// What happens on the way of a call through the mediator.
///
/// URLs in events are whole, query included; an observer that logs them removes what is secret.
public enum RouteEvent: Sendable {
  /// All checks are passed and the route's code begins; `opener` is the URL, or the route's name, of who
  /// called.
  case opened(RouteSummary, origin: Origin, opener: String?)
  /// The route's code has ended well.
  case answered(RouteSummary)
  /// A link from outside waits, because the app is not ready or links before it are being opened.
  case linkWaits(url: String, source: LinkSource)
  /// A rule of the redirect table in force, counted from 0, sends the call on.
  case redirected(from: String, to: String, rule: Int, version: Int)
  /// Another redirect table is in force; nil if none is.
  case redirectsChanged(version: Int?)
  /// A guard has decided.
  case verdict(GuardVerdict, by: String, RouteSummary)
  /// No route answers and a fallback is asked.
  case fellBack(url: String, origin: Origin, RouteError)
  /// The call ended in an error.
  ///
  /// Here `forbidden` is told apart from `notFound` even if the caller is not told. `url` is nil for native
  /// routes.
  case failed(url: String?, name: String?, origin: Origin, RouteError)
}
