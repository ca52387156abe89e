public import Interception

/// The error of a load: what failed, of which API, and a sentence that says what to do.
public struct APIError: Error, LoggableError, Sendable {
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
  /// The rejected response's content, decoded as the API's failure type, if possible.
  private(set) var failureBody: (any Sendable)?
  /// Whether the service's rule swallowed the response, so that nothing is delivered.
  private(set) var isSwallowed = false

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

extension APIError {
  /// Returns the rejected response's content, decoded as the failure type of an API.
  ///
  /// ```swift
  /// if let body = error.failureBody(of: AddFavourite.self) { show(body.message) }
  /// ```
  ///
  /// - Returns: nil if there was no response, if it cannot be decoded, or if the error is that of an API with
  ///   another failure type.
  public func failureBody<A: API>(of api: A.Type) -> A.Failure? { failureBody as? A.Failure }

  func with(failureBody: any Sendable) -> APIError {
    var copy = self
    copy.failureBody = failureBody
    return copy
  }

  func swallowed() -> APIError {
    var copy = self
    copy.isSwallowed = true
    return copy
  }
}

extension APIError: CustomStringConvertible {
  /// The API and the reason.
  public var description: String { "\(api): \(reason)" }
}
