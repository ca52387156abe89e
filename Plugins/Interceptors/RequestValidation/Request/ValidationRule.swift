public import Interception

/// A requirement for certain requests, beyond what every server requires.
///
/// Write a rule for a requirement of several APIs, or of an API with many callers. What only one manager
/// knows belongs in that manager's own validator.
public struct ValidationRule: Sendable {
  /// The name used in violations.
  public let name: String
  private let applies: @Sendable (Request) -> Bool
  private let check: @Sendable (Request) -> String?

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
    self.applies = applies
    self.check = check
  }

  func sentence(for request: Request) -> String? { applies(request) ? check(request) : nil }
}
