import BodyFormats
import HTTPTypes
import Interception

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
    self = APIError(
      .vetoed(by: service), response.api,
      reason: "The rule of the service \"\(service)\" swallowed the response: \(reason)",
      request: response.request, response: response
    ).swallowed()
  }

  /// Creates the error of a response that an API or a reformer could not read.
  init(readingOf response: APIResponse, by reader: Any.Type, _ error: any Error) {
    switch error {
    case let error as APIError: self = error
    case let error as DecodingMismatchError:
      self.init(
        .malformed(field: error.field), response.api, reason: error.reason, request: response.request,
        response: response)
    case let error as BodyDecodingError:
      self.init(
        .malformed(field: error.field), response.api, reason: error.reason, request: response.request,
        response: response, underlying: error)
    default:
      self.init(
        .malformed(field: nil), response.api,
        // The error's description may repeat the content.
        reason: "\(reader) could not convert the response; inspect the underlying \(type(of: error)).",
        request: response.request, response: response, underlying: error)
    }
  }

  static let offlineReason =
    "There is no network and no stored response; connect to a network, and try again."
}
