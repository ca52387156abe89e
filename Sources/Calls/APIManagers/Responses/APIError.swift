import BodyFormats
import HTTPTypes
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
  /// The request that was sent, without its query; nil if none was created.
  private var sent: Request.Summary?
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

  /// Returns the error with the request that was sent, which its description shows, and a failure body.
  func of(_ request: Request, failureBody: (any Sendable)? = nil) -> APIError {
    var copy = self
    copy.failureBody = failureBody ?? copy.failureBody
    if sent == nil, cause?.request == nil { copy.sent = Request.Summary(request) }
    return copy
  }
}

extension APIError: CustomStringConvertible {
  /// The API and the reason; then, in brackets, the request without its query, the number of its attempts,
  /// and why it was not sent again, as far as they are known.
  public var description: String {
    let report = response?.exchange
    return "\(api): \(reason)"
      + RequestNote.text(
        of: cause?.request ?? sent, attempt: cause?.attempt ?? report?.attempts ?? 1,
        retryRefusal: cause?.retryRefusal ?? report?.retryRefusal)
  }
}

extension APIError {
  /// What failed; cases are added in major versions only.
  public enum Kind: Sendable, Hashable {
    /// The params cannot be sent.
    case invalidParams(field: String?)
    /// A hook refused the load or the delivery of its result.
    case vetoed(by: String)
    /// The API is switched off temporarily.
    case downgraded
    /// Another request of the manager is in flight, and the API allows only one at a time.
    case ignored(inFlight: RequestID)
    /// There is no network.
    case offline
    /// A phase exceeded its time limit.
    case timeout(NetworkError.Phase)
    /// The request was cancelled, or superseded by a later one.
    case cancelled
    /// The host name could not be resolved.
    case dns
    /// The server's certificate or the TLS handshake failed.
    case tls(NetworkError.TLSFault)
    /// The server responded with a status that is not accepted; ``APIError/response`` has the body.
    case status(Int)
    /// A response validator rejected the response.
    case invalidResponse
    /// The response is empty.
    case noContent
    /// The access token must be refreshed.
    case needsToken
    /// The user must log in.
    case needsLogin
    /// The user was asked to log in, and declined.
    case loginCancelled
    /// A reformer could not convert the response; `field` names the field at fault, if known.
    case malformed(field: String?)
    /// Nothing has been loaded yet.
    case noResponse
    /// Any other failure reported by the chain.
    case network(NetworkError.Kind)
  }
}

extension APIError {
  /// The error's kind as a metric label, from a bounded set.
  public var label: String {
    switch kind {
    case .invalidParams: "invalid_params"
    case .vetoed: "vetoed"
    case .downgraded: "downgraded"
    case .ignored: "ignored"
    case .offline: "offline"
    case .timeout(let phase): "timeout_\(phase)"
    case .cancelled: "cancelled"
    case .dns: "dns"
    case .tls(let fault): "tls_\(fault)"
    case .status(let code): "status_\(code)"
    case .invalidResponse: "invalid_answer"
    case .noContent: "no_content"
    case .needsToken: "needs_token"
    case .needsLogin: "needs_login"
    case .loginCancelled: "login_cancelled"
    case .malformed: "malformed"
    case .noResponse: "no_answer"
    case .network: cause?.label ?? "network"
    }
  }
}

extension APIError {
  init(_ error: ParamsError, _ api: APIIdentity) {
    self.init(.invalidParams(field: error.field), api, reason: "\(error)", underlying: error)
  }

  init(_ error: ResponseError, _ response: APIResponse) {
    let kind: Kind =
      switch error.kind {
      case .invalid: .invalidResponse
      case .noContent: .noContent
      case .needsToken: .needsToken
      case .needsLogin: .needsLogin
      case .loginCancelled: .loginCancelled
      }
    self.init(
      kind, response.api, reason: error.reason, request: response.request, response: response,
      underlying: error)
  }

  init(unacceptedStatusOf response: APIResponse) {
    let statusRemedy =
      switch response.status.code {
      case 401: "log in again, or refresh the token"
      case 403: "the account doesn't have permission"
      case 404, 410: "the resource doesn't exist, or no longer exists"
      case 408, 429, 503: "wait, and try again"
      case 500...: "the server failed; try again later, or report it"
      case 300..<400: "it is a redirect; add an interceptor that follows redirects"
      default: "inspect the response's body"
      }
    let remedy =
      switch (response.status.code, response.exchange.requestCoding) {
      case (400, let coding?), (415, let coding?):
        "the body was sent with the content coding \"\(coding)\"; if the server doesn't know it, send the body as it is"
      default: response.exchange.credentialUse?.remedy ?? statusRemedy
      }
    let phrase = response.status.reasonPhrase
    let status = phrase.isEmpty ? "\(response.status.code)" : "\(response.status.code) \(phrase)"
    self.init(
      .status(response.status.code), response.api, reason: "The server responded with \(status): \(remedy).",
      request: response.request, response: response)
  }

  /// Creates an error from the chain's error.
  ///
  /// - Parameter isOffline: Whether the network was known to be unavailable, so that only stored responses
  ///   were used.
  init(_ error: NetworkError, _ api: APIIdentity, request: RequestID, isOffline: Bool) {
    let kind: Kind
    let reason: String
    switch error.kind {
    case .offline,
      .notStored where isOffline:
      (kind, reason) = (.offline, Self.offlineReason)
    case .resolve: (kind, reason) = (.dns, "The server's name could not be resolved: \(error.reason)")
    case .tls(let fault):
      (kind, reason) = (.tls(fault), "The server's identity could not be verified: \(error.reason)")
    case .timeout(let phase): (kind, reason) = (.timeout(phase), "The request timed out: \(error.reason)")
    case .cancelled: (kind, reason) = (.cancelled, error.reason)
    case .needsLogin: (kind, reason) = (.needsLogin, error.reason)
    default: (kind, reason) = (.network(error.kind), error.reason)
    }
    self.init(
      kind, api, reason: reason, request: request, cause: error, underlying: error.underlying)
  }

  /// Creates the error of a load that a hook refused.
  init(vetoedBy name: String, _ api: APIIdentity, _ moment: String) {
    self.init(
      .vetoed(by: name), api,
      reason: "The hook \(name) refused the load \(moment); check its conditions.")
  }

  /// Creates the error of a response that the rule of its service swallowed.
  init(swallowedBy service: String, reason: String, _ response: APIResponse) {
    self.init(
      .vetoed(by: service), response.api,
      reason: "The rule of the service \"\(service)\" swallowed the response: \(reason)",
      request: response.request, response: response)
    isSwallowed = true
  }

  /// Creates the error of a response that an API or a reformer could not read.
  init(readingOf response: APIResponse, by reader: Any.Type, _ error: any Error) {
    if let error = error as? APIError {
      self = error
      return
    }
    let (field, reason): (String?, String) =
      switch error {
      case let error as DecodingMismatchError: (error.field, error.reason)
      case let error as BodyDecodingError: (error.field, error.reason)
      // The error's description may repeat the content.
      default:
        (nil, "\(reader) could not convert the response; inspect the underlying \(type(of: error)).")
      }
    self.init(
      .malformed(field: field), response.api, reason: reason, request: response.request, response: response,
      underlying: error is DecodingMismatchError ? nil : error)
  }

  static let offlineReason =
    "There is no network and no stored response; connect to a network, and try again."
}
