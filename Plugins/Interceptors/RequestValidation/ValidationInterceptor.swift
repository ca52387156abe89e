import HTTPTypes
public import Interception

/// Refuses requests that can't be sent before any work is done for them, and responses that violate a rule.
///
/// The target, the header fields and the body are checked against RFC 9110, RFC 3986 and ``RequestLimits``; a
/// ``ValidationRule`` adds requirements of an API, a ``ResponseRule`` requirements for responses. All
/// violations by a request are reported at once.
///
/// A line break or a zero byte in a field's value isn't reported: swift-http-types replaces it with a space
/// when the value is set. Other control characters, in values created leniently, are.
///
/// ```swift
/// let list = APIIdentity(service: "estate", name: "houses.list")
/// let validation = ValidationInterceptor(
///   limits: RequestLimits(schemes: ["https"]),
///   rules: [.query("page", .required, .integer(in: 1...500), of: list)],
///   responseRules: [.requiringJSON()])
/// ```
///
/// Rules about one API cost requests of other APIs nothing.
public struct ValidationInterceptor: Interceptor {
  /// At stage `validation`, the outermost.
  public let traits = InterceptorTraits(stage: .validation)

  private let check: RequestCheck
  private let rules: RuleTable<ValidationRule>
  private let responseRules: RuleTable<ResponseRule>

  /// Creates an interceptor; the default limits are those that every server sets.
  public init(
    limits: RequestLimits = RequestLimits(), rules: [ValidationRule] = [], responseRules: [ResponseRule] = []
  ) {
    check = RequestCheck(limits: limits)
    self.rules = RuleTable(rules, api: \.api)
    self.responseRules = RuleTable(responseRules, api: \.api)
  }

  /// Checks the request, sends it, and checks the response.
  ///
  /// - Throws: `NetworkError.Kind.invalidRequest` for a request and `NetworkError.Kind.rejected` for a
  ///   response; both have a ``RuleViolationError`` as their `underlying` error.
  public func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    let refused = breaches(in: request)
    guard refused.isEmpty else {
      let error = RuleViolationError(breaches: refused)
      throw NetworkError(.invalidRequest, error.description, underlying: error)
    }
    let response = try await next.dispatch(request)
    guard !responseRules.isEmpty else { return response }
    let found = responseRules.rules(about: request).compactMap { $0.violation(by: response, to: request) }
    guard found.isEmpty else {
      let error = RuleViolationError(breaches: found)
      throw NetworkError(
        .rejected, error.description, requestMayHaveBeenProcessed: true, underlying: error)
    }
    return response
  }

  /// Returns the sentences of all violations by a request, without sending it.
  public func violations(in request: Request) -> [String] { breaches(in: request).map(\.sentence) }

  func breaches(in request: Request) -> [RuleViolation] {
    let violations = check.faults(of: request)
    guard !rules.isEmpty else { return violations }
    return violations + rules.rules(about: request).flatMap { $0.violations(by: request) }
  }
}

/// Rules by the API that they are about, so that a request is compared with none of other APIs.
struct RuleTable<Rule: Sendable>: Sendable {
  /// The rules about requests of any API.
  private let general: [Rule]
  /// The rules about the requests of each API that has some of its own, the general ones among them.
  private let specific: [APIIdentity: [Rule]]

  /// Creates a table; `api` returns the only API that a rule is about, or nil.
  init(_ rules: [Rule], api: (Rule) -> APIIdentity?) {
    general = rules.filter { api($0) == nil }
    let known = Set(rules.compactMap(api))
    specific = Dictionary(
      uniqueKeysWithValues: known.map { one in (one, rules.filter { api($0) == nil || api($0) == one }) })
  }

  /// Whether there is no rule.
  var isEmpty: Bool { general.isEmpty && specific.isEmpty }

  /// Returns the rules about a request, in the order of registration.
  func rules(about request: Request) -> [Rule] {
    guard !specific.isEmpty, let api = request.context.api else { return general }
    return specific[api] ?? general
  }
}
