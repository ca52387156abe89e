public import Interception

/// The error of a load: what failed, of which API, and a sentence that says what to do.
public struct APIError: Error, Sendable {
  /// What failed.
  public let kind: Kind
  /// The API.
  public let api: APIIdentity
  /// A sentence that says what happened and what to do; it contains no secret.
  public let reason: String
  /// The request that failed; nil if none was created.
  public let request: RequestID?
  /// The rejected response, with its body; nil if none was received.
  public let response: APIResponse?
  /// The chain's error, if the error comes from the chain.
  public let cause: NetworkError?
  /// The error of a validator or reformer, or the one wrapped by the chain's error.
  public let underlying: (any Error)?

  /// Creates an error.
  package init(
    _ kind: Kind, _ api: APIIdentity, reason: String, request: RequestID? = nil, response: APIResponse? = nil,
    cause: NetworkError? = nil, underlying: (any Error)? = nil
  ) {
    self.kind = kind
    self.api = api
    self.reason = reason
    self.request = request
    self.response = response
    self.cause = cause
    self.underlying = underlying
  }
}

extension APIError: CustomStringConvertible {
  /// The API and the reason.
  public var description: String { "\(api): \(reason)" }
}
