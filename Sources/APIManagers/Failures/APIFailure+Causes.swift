import HTTPTypes
import Interception

extension APIFailure {
  init(_ fault: ParamsFault, _ api: APIIdentity) {
    self.init(.invalidParams(field: fault.field), api, reason: "\(fault)", underlying: fault)
  }

  init(_ fault: AnswerFault, _ answer: RawAnswer) {
    let kind: Kind =
      switch fault.kind {
      case .invalid: .invalidAnswer
      case .noContent: .noContent
      case .needsToken: .needsToken
      case .needsLogin: .needsLogin
      case .loginCancelled: .loginCancelled
      }
    self.init(
      kind, answer.api, reason: fault.reason, request: answer.request, answer: answer, underlying: fault)
  }

  init(refusedStatusOf answer: RawAnswer) {
    let remedy =
      switch answer.status.code {
      case 401: "log in again, or refresh the token"
      case 403: "the account doesn't have permission"
      case 404, 410: "the resource doesn't exist, or no longer exists"
      case 408, 429, 503: "wait, and try again"
      case 500...: "the server failed; try again later, or report it"
      case 300..<400: "it is a redirect; add an interceptor that follows redirects"
      default: "inspect the answer's body"
      }
    let phrase = answer.status.reasonPhrase
    let status = phrase.isEmpty ? "\(answer.status.code)" : "\(answer.status.code) \(phrase)"
    self.init(
      .status(answer.status.code), answer.api, reason: "The server responded with \(status): \(remedy).",
      request: answer.request, answer: answer)
  }

  /// Creates a failure from the chain's error.
  ///
  /// - Parameter isOffline: Whether the network was known to be unavailable, so that only stored answers were
  ///   used.
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
    default: (kind, reason) = (.network(error.kind), error.reason)
    }
    self.init(
      kind, api, reason: reason, request: request, cause: error, underlying: error.underlying)
  }

  static let offlineReason = "There is no network and no stored answer; connect to a network, and try again."
}
