/// The reason why a call did not open a route or gave no result.
///
/// No case contains a parameter's value, and descriptions omit query and fragment, which may contain secrets.
public enum RouteError: Error, Sendable {
  /// The text does not conform to the URL profile.
  case malformedURL(RouteURL.SyntaxError)
  /// No route matches; `nearest` is the most similar known pattern, given to callers in the app only.
  case notFound(url: String, nearest: String? = nil)
  /// A route matches, but is not exposed to this caller.
  ///
  /// External callers get `notFound` instead.
  case forbidden(url: String, origin: Origin)
  /// A parameter is missing or invalid.
  case parameter(name: String, reason: ParameterFault)
  /// A guard refused the call.
  case rejected(by: String, reason: String)
  /// A guard did not decide within its deadline.
  case overdue(by: String, limit: Duration)
  /// The link was dropped because the maximum number of links already waited for the app to be ready.
  case linkDropped(limit: Int)
  /// Guards or a redirect table redirected the call in a loop or more than 8 times; the URLs in order.
  case redirectLoop([String])
  /// The user left the screen without a result.
  case dismissed
  /// The caller's task was cancelled.
  case cancelled
  /// The route returns another type than the caller expects.
  case resultMismatch(expected: String, got: String)
  /// The route's own code threw an error.
  case failed(any Error)
}

extension RouteError {
  /// Whether no route gave a result of the expected type, as opposed to a refusal or a failure.
  var isLackOfAnswer: Bool {
    switch self {
    case .notFound, .forbidden, .resultMismatch: true
    default: false
    }
  }
}

extension RouteError: CustomStringConvertible {
  /// What was called, what is wrong, and what to do.
  public var description: String {
    switch self {
    case .malformedURL(let fault):
      return fault.description
    case .notFound(let url, let nearest):
      let hint = nearest.map { "did you mean \($0)?" } ?? "check the URL, or declare a route for it."
      return "No route matches \(RouteURL.shown(url)): \(hint)"
    case .forbidden(let url, let origin):
      return "\(RouteURL.shown(url)) is not exposed to \(Self.words(origin)): "
        + "widen the route's exposure, or call it from a caller that it admits."
    case .parameter(let name, let reason):
      return "Parameter \"\(name)\" \(reason)."
    case .rejected(let guardID, let reason):
      return "Guard \"\(guardID)\" refused: \(reason)"
    case .overdue(let guardID, let limit):
      return "Guard \"\(guardID)\" did not decide within \(limit): try again, or raise its deadline."
    case .linkDropped(let limit):
      return "The link was dropped because \(limit) links already waited for the app to be ready: "
        + "call ready() sooner, or raise the limit of waiting links."
    case .redirectLoop(let trail):
      return "Redirect loop or too many redirects: \(trail.map(RouteURL.shown).joined(separator: " → ")). "
        + "Let one of the guards proceed, or correct the redirect table."
    case .dismissed:
      return "The user left the screen without a result; treat it as a \"no\"."
    case .cancelled:
      return "The call was cancelled by its caller."
    case .resultMismatch(let expected, let got):
      return
        "The caller expects \(expected), but the route returns \(got): request the type that the route declares."
    case .failed(let error):
      // A route fails with the error of a call that it made, which may be another route's failure.
      var cause = error
      while case RouteError.failed(let inner) = cause { cause = inner }
      return "The route's code failed: \(cause)"
    }
  }

  private static func words(_ origin: Origin) -> String {
    switch origin {
    case .native(let module?): "module \(module)"
    case .native: "the app's own code"
    case .external(.scheme(let scheme)): "links of scheme \(scheme)"
    case .external(.universal(let host)): "web links of \(host)"
    case .external(.push): "push messages"
    case .external(.web(let host)): "pages of \(host)"
    case .external(.shortcut): "shortcuts"
    }
  }
}
