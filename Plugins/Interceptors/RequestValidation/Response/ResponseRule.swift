public import HTTPTypes
public import Interception

/// A requirement for certain responses, regardless of how their API interprets them.
///
/// A rule sees the head and a body in memory, but no bytes of a stream. A response that violates a rule never
/// reaches the caller, so don't write rules about status codes that callers handle.
public struct ResponseRule: Sendable {
  /// The name used in violations.
  public let name: String
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
    self.name = name
    self.applies = applies
    self.check = check
  }

  func sentence(for response: Response, to request: Request) -> String? {
    applies(request, response) ? check(request, response) : nil
  }
}
