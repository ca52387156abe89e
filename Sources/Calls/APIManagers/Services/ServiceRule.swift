import HTTPTypes

/// A service's rule for all responses of its APIs, whose verdict precedes the checks of the API itself.
///
/// Use it for an error inside a response with status 200, a status that asks for a login, or a notice that
/// the app handles in one place.
///
/// ```swift
/// let rule = ServiceRule.statuses([401: .needsLogin, 403: .needsToken]).otherwise(
///   ServiceRule { response in
///     guard response.headerFields[.maintenance] != nil else { return .proceed }
///     notices.show("The service is under maintenance.")
///     return .swallow("The app shows a notice.")
///   })
/// ```
///
/// It is called off the main actor, for responses of managers and clients alike. For a response that may be
/// cached it is called before that, with an empty ``APIResponse/exchange``, and again only if the response is
/// rejected then.
public struct ServiceRule: Sendable {
  /// What becomes of a response.
  public enum Verdict: Sendable, Hashable {
    /// The API's own checks decide: its accepted statuses, its validator and its output.
    case proceed
    /// The load fails.
    case fail(ResponseError)
    /// The service has dealt with the response, so that the delegate is not called.
    ///
    /// Hooks receive it as a withheld result, and an `async` caller, which must return, an error of the kind
    /// ``APIError/Kind/vetoed(by:)`` with the service's name.
    case swallow(_ reason: String)
  }

  private let judge: @Sendable (APIResponse) -> Verdict

  /// Creates a rule from a closure that receives every response of the service.
  public init(_ judge: @escaping @Sendable (APIResponse) -> Verdict) { self.judge = judge }

  /// The rule by which all responses proceed.
  public static let none = ServiceRule { _ in .proceed }

  /// Fails responses by their status codes, for example `[401: .needsLogin]`.
  public static func statuses(_ errors: [Int: ResponseError]) -> ServiceRule {
    ServiceRule { response in errors[response.status.code].map(Verdict.fail) ?? .proceed }
  }

  /// Returns a rule that applies another one to the responses that proceed by this one.
  public func otherwise(_ next: ServiceRule) -> ServiceRule {
    ServiceRule { response in
      let verdict = judge(response)
      return verdict == .proceed ? next.judge(response) : verdict
    }
  }

  /// Returns what becomes of a response.
  func verdict(on response: APIResponse) -> Verdict { judge(response) }
}
