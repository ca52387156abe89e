public import Interception

/// Something that certain requests must fulfil, beyond what every server asks for.
///
/// Write a rule for what holds of several APIs, or of one that many callers use. What only one manager knows
/// belongs into that manager's own validator.
public struct ValidationRule: Sendable {
  /// The name that faults bear.
  public let name: String
  private let applies: @Sendable (Request) -> Bool
  private let check: @Sendable (Request) -> String?

  /// Makes a rule.
  ///
  /// - Parameters:
  ///   - applies: Whether the rule is about a request; about all of them by default.
  ///   - check: Returns nil, or a sentence that says what to do; it must show no secret, for it reaches logs.
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
