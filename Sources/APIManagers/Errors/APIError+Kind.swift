public import Interception

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
