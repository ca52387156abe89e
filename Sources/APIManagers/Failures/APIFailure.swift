public import Interception

/// Why a load has no good answer: what happened, to which API, and a sentence that a person can act on.
public struct APIFailure: Error, Sendable {
  /// What happened.
  public let kind: Kind
  /// The API.
  public let api: APIIdentity
  /// A sentence that says what happened and what to do; it holds no secret.
  public let reason: String
  /// The request that failed; nil when none was made.
  public let request: RequestID?
  /// The answer that was no good, with its body; nil when there was none.
  public let answer: RawAnswer?
  /// The chain's error, where it comes from there.
  public let cause: NetworkError?
  /// The error of a validator or a reformer, where it comes from one.
  public let underlying: (any Error)?

  /// Makes a failure.
  public init(
    _ kind: Kind, _ api: APIIdentity, reason: String, request: RequestID? = nil, answer: RawAnswer? = nil,
    cause: NetworkError? = nil, underlying: (any Error)? = nil
  ) {
    self.kind = kind
    self.api = api
    self.reason = reason
    self.request = request
    self.answer = answer
    self.cause = cause
    self.underlying = underlying
  }
}

extension APIFailure: CustomStringConvertible {
  /// The API and the sentence.
  public var description: String { "\(api): \(reason)" }
}
