public import HTTPTypes
public import Interception

/// Something that certain answers must be, whatever their API makes of them.
///
/// A rule sees the head and a buffered body; of a stream it sees no byte. An answer that breaks a rule never
/// reaches the caller, so don't write one about statuses that callers handle.
public struct ResponseRule: Sendable {
  /// The name that faults bear.
  public let name: String
  private let applies: @Sendable (Request, Response) -> Bool
  private let check: @Sendable (Request, Response) -> String?

  /// Makes a rule.
  ///
  /// - Parameters:
  ///   - applies: Whether the rule is about an answer; about successful ones by default.
  ///   - check: Returns nil, or a sentence that says what to do; it must show no secret, for it reaches logs.
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
