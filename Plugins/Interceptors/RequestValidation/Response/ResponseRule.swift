public import HTTPTypes
public import Interception

/// A requirement for certain responses, regardless of how their API interprets them.
///
/// A rule sees the head and a body in memory, but no bytes of a stream. A response that violates a rule never
/// reaches the caller, so don't write rules about status codes that callers handle.
public struct ResponseRule: Sendable {
  /// The name used in violations.
  public let name: String
  /// The only API whose responses the rule is about; nil if `applies` alone decides.
  let api: APIIdentity?
  private let applies: @Sendable (Request, Response) -> Bool
  private let check: @Sendable (Request, Response) -> String?

  /// Creates a rule.
  ///
  /// - Parameters:
  ///   - applies: Whether the rule applies to a response; to successful ones by default.
  ///   - check: Returns nil, or a sentence that says what to do. It must not contain secrets, because it is
  ///     logged.
  public init(
    _ name: String,
    appliesTo applies: @escaping @Sendable (Request, Response) -> Bool = { _, response in
      (200..<300).contains(response.status.code)
    },
    check: @escaping @Sendable (Request, Response) -> String?
  ) {
    self.init(name: name, api: nil, appliesTo: applies, check: check)
  }

  /// Creates a rule about the responses of one API, or of all if it is nil.
  init(
    name: String, api: APIIdentity?,
    appliesTo applies: @escaping @Sendable (Request, Response) -> Bool = { _, _ in true },
    check: @escaping @Sendable (Request, Response) -> String?
  ) {
    self.name = name
    self.api = api
    self.applies = applies
    self.check = check
  }

  /// Returns the violation by a response, which is one of the rule's API.
  func violation(by response: Response, to request: Request) -> RuleViolation? {
    guard applies(request, response) else { return nil }
    return check(request, response).map { RuleViolation(rule: name, sentence: $0) }
  }
}
