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
      case 403: "this account may not do that"
      case 404, 410: "what was asked for is not there, or not any more"
      case 408, 429, 503: "try again a little later"
      case 500...: "the server has a fault; try again later, or report it"
      case 300..<400: "it points elsewhere; let an interceptor follow redirects"
      default: "see the answer's body"
      }
    let phrase = answer.status.reasonPhrase
    let status = phrase.isEmpty ? "\(answer.status.code)" : "\(answer.status.code) \(phrase)"
    self.init(
      .status(answer.status.code), answer.api, reason: "The server answered \(status): \(remedy).",
      request: answer.request, answer: answer)
  }

  /// Makes a failure of the chain's error.
  ///
  /// - Parameter isOffline: Whether the network was known to be gone, so that only the store was asked.
  init(_ error: NetworkError, _ api: APIIdentity, request: RequestID, isOffline: Bool) {
    let kind: Kind
    let reason: String
    switch error.kind {
    case .offline,
      .notStored where isOffline:
      (kind, reason) = (.offline, Self.offlineReason)
    case .resolve: (kind, reason) = (.dns, "The server's name has no address: \(error.reason)")
    case .tls(let fault):
      (kind, reason) = (.tls(fault), "The server's identity could not be trusted: \(error.reason)")
    case .timeout(let phase): (kind, reason) = (.timeout(phase), "It took too long: \(error.reason)")
    case .cancelled: (kind, reason) = (.cancelled, error.reason)
    default: (kind, reason) = (.network(error.kind), error.reason)
    }
    self.init(
      kind, api, reason: reason, request: request, cause: error, underlying: error.underlying)
  }

  static let offlineReason = "There is no network, and no stored answer; connect, and try again."
}
