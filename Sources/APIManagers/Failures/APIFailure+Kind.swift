public import Interception

extension APIFailure {
  /// What can happen; cases are added in major versions only.
  public enum Kind: Sendable, Hashable {
    /// The params are not fit to be sent.
    case invalidParams(field: String?)
    /// A hook refused the load, or the delivery.
    case vetoed(by: String)
    /// The API is switched off for now.
    case downgraded
    /// Another request of the manager is in flight, and the API lets only one fly.
    case ignored(inFavourOf: RequestID)
    /// There is no network.
    case offline
    /// A phase took longer than it may.
    case timeout(NetworkError.Phase)
    /// The request was cancelled, or superseded by a later one.
    case cancelled
    /// The host's name has no address.
    case dns
    /// The server's certificate or its handshake was no good.
    case tls(NetworkError.TLSFault)
    /// The server answered with a status that is no success; ``APIFailure/answer`` has the body.
    case status(Int)
    /// An answer validator refused the answer.
    case invalidAnswer
    /// The answer holds nothing.
    case noContent
    /// The access token must be refreshed.
    case needsToken
    /// A person must log in.
    case needsLogin
    /// A person was asked to log in, and declined.
    case loginCancelled
    /// A reformer could make nothing of the answer; `field` says where.
    case malformed(field: String?)
    /// Nothing was loaded yet.
    case noAnswer
    /// Anything else that the chain reports.
    case network(NetworkError.Kind)
  }
}
