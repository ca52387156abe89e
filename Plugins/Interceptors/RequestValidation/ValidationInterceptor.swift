public import Interception

/// Refuses a request that is not fit to be sent, before anything is spent on it, and an answer that breaks a
/// rule.
///
/// The target, the header fields and the body are checked against RFC 9110 and 3986 and against
/// ``RequestLimits``; ``ValidationRule`` adds what an API asks for, ``ResponseRule`` what an answer must be.
/// All faults of a request are told at once.
///
/// A line break or a zero byte in a field's value is not among them: swift-http-types has replaced it by a
/// space when the value was set. Other control characters, which it takes leniently, are found.
///
/// ```swift
/// ValidationInterceptor(
///   limits: RequestLimits(schemes: ["https"]),
///   rules: [.requiringQuery(["city"], of: APIIdentity(service: "estate", name: "houses.list"))],
///   responseRules: [.requiringJSON()])
/// ```
public struct ValidationInterceptor: Interceptor {
  /// The outermost place.
  public let traits = InterceptorTraits(stage: .validation)

  private let check: RequestCheck
  private let rules: [ValidationRule]
  private let responseRules: [ResponseRule]

  /// Makes an interceptor; without arguments it enforces what every server asks for.
  public init(
    limits: RequestLimits = RequestLimits(), rules: [ValidationRule] = [], responseRules: [ResponseRule] = []
  ) {
    check = RequestCheck(limits: limits)
    self.rules = rules
    self.responseRules = responseRules
  }

  /// Checks the request, hands it on, and checks the answer.
  ///
  /// - Throws: ``NetworkError/Kind/invalidRequest`` for a request and ``NetworkError/Kind/rejected`` for an
  ///   answer; both have a ``ValidationFailure`` as their `underlying` error.
  public func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    let faults = faults(of: request)
    guard faults.isEmpty else {
      let failure = ValidationFailure(faults: faults)
      throw NetworkError(.invalidRequest, failure.description, underlying: failure)
    }
    let response = try await next.dispatch(request)
    guard !responseRules.isEmpty else { return response }
    let broken = responseRules.compactMap { rule in
      rule.sentence(for: response, to: request).map { ValidationFault(rule: rule.name, sentence: $0) }
    }
    guard broken.isEmpty else {
      let failure = ValidationFailure(faults: broken)
      throw NetworkError(
        .rejected, failure.description, requestMayHaveBeenProcessed: true, underlying: failure)
    }
    return response
  }

  /// Returns everything that is wrong with a request, without sending it.
  public func faults(of request: Request) -> [ValidationFault] {
    let faults = check.faults(of: request)
    guard !rules.isEmpty else { return faults }
    return faults
      + rules.compactMap { rule in
        rule.sentence(for: request).map { ValidationFault(rule: rule.name, sentence: $0) }
      }
  }
}
