/// An event of a call to the mediator.
///
/// URLs in events are complete, including the query; an observer that logs them must redact secrets.
public enum RouteEvent: Sendable {
  /// All checks have passed and the route's body starts; `opener` is the URL or the route name of the caller.
  case opened(RouteSummary, origin: Origin, opener: String?)
  /// The route's body has returned.
  case answered(RouteSummary)
  /// An external link waits, because the app is not ready or earlier links are being opened.
  case linkWaits(url: String, source: LinkSource)
  /// A rule of the redirector, numbered from 0, redirected the call.
  case redirected(from: String, to: String, rule: Int, version: Int)
  /// Other redirect rules apply from now on; nil means that there are none.
  case redirectsChanged(version: Int?)
  /// A guard returned its verdict.
  case verdict(GuardVerdict, by: String, RouteSummary)
  /// No route matches and a fallback runs.
  case fellBack(url: String, origin: Origin, RouteError)
  /// The call ended in an error.
  ///
  /// Here `forbidden` differs from `notFound` even if the caller gets the same error for both. `url` is nil
  /// for native routes.
  case failed(url: String?, name: String?, origin: Origin, RouteError)
}
