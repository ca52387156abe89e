public import Interception

/// A requirement for certain requests, beyond what every server requires.
///
/// Write a rule for a requirement of several APIs, or of an API with many callers. What only one manager
/// knows belongs in that manager's own validator.
public struct ValidationRule: Sendable {
  /// The name used in violations.
  public let name: String
  /// The only API whose requests the rule is about; nil if `applies` alone decides.
  let api: APIIdentity?
  private let applies: @Sendable (Request) -> Bool
  private let check: @Sendable (Request) -> [String]

  /// Creates a rule.
  ///
  /// - Parameters:
  ///   - applies: Whether the rule applies to a request; to every request by default.
  ///   - check: Returns nil, or a sentence that says what to do. It must not contain secrets, because it is
  ///     logged.
  public init(
    _ name: String, appliesTo applies: @escaping @Sendable (Request) -> Bool = { _ in true },
    check: @escaping @Sendable (Request) -> String?
  ) {
    self.name = name
    api = nil
    self.applies = applies
    self.check = { request in check(request).map { [$0] } ?? [] }
  }

  /// Creates a rule about the requests of one API, or of all if it is nil.
  init(name: String, api: APIIdentity?, check: @escaping @Sendable (Request) -> [String]) {
    self.name = name
    self.api = api
    applies = { _ in true }
    self.check = check
  }

  /// Returns the violations by a request, which is one of the rule's API.
  func violations(by request: Request) -> [RuleViolation] {
    applies(request) ? check(request).map { RuleViolation(rule: name, sentence: $0) } : []
  }
}
