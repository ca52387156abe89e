/// Why a route was not opened or gave no result.
///
/// No case carries a parameter's value, and a description shows no query and no fragment: they may hold
/// secrets.
public enum RouteError: Error, Sendable {
  /// The text is no URL of the routing profile.
  case malformedURL(URLFault)
  /// Nothing answers; `nearest` is a known pattern much like it, told to callers in the app only.
  case notFound(url: String, nearest: String? = nil)
  /// A route answers, but not to this caller.
  ///
  /// Callers outside the app get `notFound` in its place.
  case forbidden(url: String, origin: Origin)
  /// A parameter is missing or wrong.
  case parameter(name: String, reason: ParameterFault)
  /// A guard refused.
  case rejected(by: String, reason: String)
  /// A guard did not decide within its deadline.
  case overdue(by: String, limit: Duration)
  /// The link was dropped from the queue: so many links already waited for the app to be ready.
  case linkDropped(limit: Int)
  /// Guards or a redirect table sent the call in a circle or through more than 8 redirects; the URLs in their
  /// order.
  case redirectLoop([String])
  /// The user left the screen without a result.
  case dismissed
  /// The caller's task was cancelled.
  case cancelled
  /// The route answers another type than the caller expects.
  case resultMismatch(expected: String, got: String)
  /// The route's own code failed.
  case failed(any Error)
}

extension RouteError {
  /// Whether there is no answer of the type expected, as opposed to a refusal or a failure.
  var isLackOfAnswer: Bool {
    switch self {
    case .notFound, .forbidden, .resultMismatch: true
    default: false
    }
  }
}

extension RouteError: CustomStringConvertible {
  /// What was asked, what is wrong, and what to do.
  public var description: String {
    switch self {
    case .malformedURL(let fault):
      return fault.description
    case .notFound(let url, let nearest):
      let hint = nearest.map { "did you mean \($0)?" } ?? "check the URL, or declare a route for it."
      return "Nothing answers \(RouteURL.shown(url)): \(hint)"
    case .forbidden(let url, let origin):
      return "\(RouteURL.shown(url)) is not open to \(Self.words(origin)): "
        + "widen the route's exposure if it should be, or call it from where it is."
    case .parameter(let name, let reason):
      return "Parameter \"\(name)\" \(reason)."
    case .rejected(let guardID, let reason):
      return "Guard \"\(guardID)\" refused: \(reason)"
    case .overdue(let guardID, let limit):
      return "Guard \"\(guardID)\" did not decide within \(limit): try again, or give it a longer deadline."
    case .linkDropped(let limit):
      return "The link was dropped because \(limit) links already waited for the app to be ready: "
        + "call ready() sooner, or let more links wait."
    case .redirectLoop(let trail):
      return "The redirects do not end: \(trail.map(RouteURL.shown).joined(separator: " → ")). "
        + "Let one of the guards proceed, or correct the redirect table."
    case .dismissed:
      return "The screen was left without a result; treat it as the user's \"no\"."
    case .cancelled:
      return "The call was cancelled by its caller."
    case .resultMismatch(let expected, let got):
      return
        "The caller expects \(expected) and the route answers \(got): ask for the type the route declares."
    case .failed(let error):
      return "The route's own code failed: \(error)"
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
