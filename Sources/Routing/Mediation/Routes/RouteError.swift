/// The reason why a call did not open a route or gave no result.
///
/// No case contains a parameter's value, and descriptions omit query and fragment, which may contain secrets.
public enum RouteError: Error, Sendable {
  /// The text does not conform to the URL profile.
  case malformedURL(RouteURL.SyntaxError)
  /// No route matches; `nearest` is the most similar known pattern, given to callers in the app only.
  ///
  /// In debug builds, `unexposed` is a route that matches the URL and is not exposed to a call from outside.
  /// A release build treats such a route as unknown.
  case notFound(url: String, nearest: String? = nil, unexposed: Site? = nil)
  /// A route matches, but is not exposed to this caller.
  ///
  /// External callers get `notFound` instead.
  case forbidden(url: String, origin: Origin)
  /// A parameter is missing or invalid.
  case parameter(name: String, reason: ParameterFault, of: Site? = nil)
  /// A guard refused the call.
  case rejected(by: String, reason: String)
  /// A guard did not decide within its deadline.
  case overdue(by: String, limit: Duration)
  /// The link was dropped because the maximum number of links already waited for the app to be ready.
  case linkDropped(limit: Int)
  /// The link was dropped because another link already waits until the user has answered the guard that
  /// opened this URL.
  case linkSuperseded(waitingFor: String)
  /// Guards or a redirect table redirected the call in a loop or more than 8 times; the URLs in order.
  case redirectLoop([String])
  /// The user left the screen without a result.
  case dismissed
  /// The caller's task was cancelled.
  case cancelled
  /// The route returns another type than the caller expects.
  case resultMismatch(expected: String, got: String)
  /// The route's own code threw an error.
  case failed(any Error, in: Site? = nil)
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
    case .notFound(let url, _, let unexposed?):
      return "No route matches \(RouteURL.shown(url)) for \(unexposed.caller): \(unexposed.owner) matches "
        + "it, and is not exposed to them. Widen the route's exposure, or call it from within the app. "
        + "A release build says only that no route matches."
    case .notFound(let url, let nearest, nil):
      let hint = nearest.map { "did you mean \($0)?" } ?? "check the URL, or declare a route for it."
      return "No route matches \(RouteURL.shown(url)): \(hint)"
    case .forbidden(let url, let origin):
      return "\(RouteURL.shown(url)) is not exposed to \(origin.words): "
        + "widen the route's exposure, or call it from a caller that it admits."
    case .parameter(let name, let reason, let site):
      return "Parameter \"\(name)\"\(site.map { " of \($0)," } ?? "") \(reason)."
    case .rejected(let guardID, let reason):
      return "Guard \"\(guardID)\" refused: \(reason)"
    case .overdue(let guardID, let limit):
      return "Guard \"\(guardID)\" did not decide within \(limit): try again, or raise its deadline."
    case .linkDropped(let limit):
      return "The link was dropped because \(limit) links already waited for the app to be ready: "
        + "call ready() sooner, or raise the limit of waiting links."
    case .linkSuperseded(let url):
      return "The link was dropped because another link waits for the answer to \(RouteURL.shown(url)): "
        + "open it again afterwards."
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
    case .failed(let error, let site):
      // A route fails with the error of a call that it made, which may be another route's failure.
      var (cause, place) = (error, site)
      while case RouteError.failed(let inner, let innerPlace) = cause { (cause, place) = (inner, innerPlace) }
      return (place.map { "The code of \($0), failed: " } ?? "The route's code failed: ") + "\(cause)"
    }
  }
}

extension RouteError {
  /// The reason why a parameter of a route cannot be read or written.
  ///
  /// It never contains the value, which may be a secret.
  public struct ParameterFault: Sendable, Hashable, CustomStringConvertible {
    /// What is wrong and what to do, as a clause.
    public let description: String
    /// Whether the value is of the pattern's kind, and the route's type does not accept it.
    let isUnreadable: Bool
    /// The route's own reason; nil for any other fault.
    let refusal: String?

    private init(_ description: String, isUnreadable: Bool = false, refusal: String? = nil) {
      self.description = description
      self.isUnreadable = isUnreadable
      self.refusal = refusal
    }

    /// The URL or the route does not supply a value.
    package static let missing = ParameterFault("is missing; give it a value")

    /// A single-valued query field occurs several times in an external URL.
    package static let repeated = ParameterFault("occurs more than once in the query; give it one value")

    /// A URL's path cannot contain the value: it is empty, `.`, `..` or contains a NUL.
    package static let unwritable = ParameterFault(
      "is empty, \".\", \"..\" or contains a NUL, which a URL's path cannot carry; use another value")

    /// The pattern has no placeholder with this name.
    package static let undeclared = ParameterFault(
      "has no placeholder in the route's pattern; add {name} to the pattern or use its names")

    /// The value is not of the kind that the pattern declares.
    package static func notOfKind(_ kind: RoutePattern.ValueKind) -> ParameterFault {
      ParameterFault("is not \(kind.words); correct that part of the URL")
    }

    /// The value is of the pattern's kind, but the route's type does not accept it.
    package static func unreadable(type: String) -> ParameterFault {
      ParameterFault(
        "cannot be read as \(type); give it a value that the type accepts", isUnreadable: true)
    }

    /// The value is longer than this limit in bytes.
    package static func tooLong(limit: Int) -> ParameterFault {
      ParameterFault("is longer than \(limit) bytes; use a typed call or shorten it")
    }

    /// The route rejects the value for this reason; do not put the value into it.
    public static func refused(_ reason: String) -> ParameterFault {
      ParameterFault("is refused: \(reason)", refusal: reason)
    }
  }
}

extension RouteError: Equatable {
  /// Compares two errors, wherever they occurred.
  ///
  /// Errors that a route's code threw are equal if they have the same type and are equal by its `==`. If the
  /// type is not `Equatable`, their descriptions are compared.
  public static func == (left: RouteError, right: RouteError) -> Bool {
    switch (left, right) {
    case (.malformedURL(let one), .malformedURL(let other)): one == other
    case (.notFound(let url, let nearest, _), .notFound(let otherURL, let otherNearest, _)):
      url == otherURL && nearest == otherNearest
    case (.forbidden(let url, let origin), .forbidden(let otherURL, let otherOrigin)):
      url == otherURL && origin == otherOrigin
    case (.parameter(let name, let reason, _), .parameter(let otherName, let otherReason, _)):
      name == otherName && reason == otherReason
    case (.rejected(let id, let reason), .rejected(let otherID, let otherReason)):
      id == otherID && reason == otherReason
    case (.overdue(let id, let limit), .overdue(let otherID, let otherLimit)):
      id == otherID && limit == otherLimit
    case (.linkDropped(let limit), .linkDropped(let other)): limit == other
    case (.linkSuperseded(let url), .linkSuperseded(let other)): url == other
    case (.redirectLoop(let trail), .redirectLoop(let other)): trail == other
    case (.dismissed, .dismissed), (.cancelled, .cancelled): true
    case (.resultMismatch(let expected, let got), .resultMismatch(let otherExpected, let otherGot)):
      expected == otherExpected && got == otherGot
    case (.failed(let error, _), .failed(let other, _)): isSame(error, other)
    default: false
    }
  }

  private static func isSame(_ left: any Error, _ right: any Error) -> Bool {
    guard type(of: left) == type(of: right) else { return false }
    if let left = left as? any Equatable { return isEqual(left, to: right) }
    return String(reflecting: left) == String(reflecting: right)
  }

  private static func isEqual<Value: Equatable>(_ left: Value, to right: any Error) -> Bool {
    right as? Value == left
  }
}
