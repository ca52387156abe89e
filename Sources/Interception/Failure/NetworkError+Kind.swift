extension NetworkError {
  /// What failed; cases are added in major versions only.
  public enum Kind: Sendable, Hashable {
    /// The request itself is not fit to be sent.
    case invalidRequest
    /// There is no network.
    case offline
    /// The host's name has no address.
    case resolve
    /// No connection could be made.
    case connect
    /// The proxy did not accept the credentials, or requires some.
    case proxyAuthentication
    /// The TLS handshake failed.
    case tls(TLSFault)
    /// A phase took longer than it may.
    case timeout(Phase)
    /// The dispatcher's queue has no room.
    case queueFull
    /// The process has no file descriptors left.
    case descriptorsExhausted
    /// The loaded system library cannot do what the request needs; the reason names the version that can.
    case unsupported
    /// The server broke the rules of HTTP.
    case protocolViolation
    /// The connection broke.
    case transport
    /// A body that can be read once was asked for again.
    case bodyNotReplayable
    /// A body has more bytes than allowed.
    case bodyTooLarge(limit: Int64)
    /// An interceptor refused the request or the answer.
    case rejected
    /// There is no stored answer, and the server was not to be asked.
    case notStored
    /// The caller, or the dispatcher's end, stopped the request.
    case cancelled(Cause)
  }

  /// What was wrong with the server's certificate or its handshake.
  public enum TLSFault: String, Sendable, Hashable {
    /// No chain to a trusted authority.
    case untrusted
    /// The certificate is for another name.
    case nameMismatch
    /// The certificate is not valid at this time.
    case expired
    /// No pinned key is in the chain.
    case pinMismatch
    /// Anything else, such as no common version.
    case handshake
  }

  /// A phase that can take too long.
  public enum Phase: String, Sendable, Hashable {
    /// The wait for a free connection.
    case queue
    /// Name look-up, connection and TLS handshake.
    case connect
    /// The wait for the answer's first byte.
    case firstByte
    /// The silence between two bytes of a body.
    case idle
    /// The whole attempt.
    case whole
  }

  /// Why a request was stopped.
  public enum Cause: String, Sendable, Hashable {
    /// The caller's task was cancelled, or its manager cancelled the request.
    case task
    /// The dispatcher was shut down.
    case shutdown
  }

  /// A name from a bounded set, for metrics.
  public var label: String {
    switch kind {
    case .invalidRequest: "invalid_request"
    case .offline: "offline"
    case .resolve: "resolve"
    case .connect: "connect"
    case .proxyAuthentication: "proxy_authentication"
    case .tls(let fault): "tls_\(fault.rawValue)"
    case .timeout(let phase): "timeout_\(phase.rawValue)"
    case .queueFull: "queue_full"
    case .descriptorsExhausted: "descriptors_exhausted"
    case .unsupported: "unsupported"
    case .protocolViolation: "protocol_violation"
    case .transport: "transport"
    case .bodyNotReplayable: "body_not_replayable"
    case .bodyTooLarge: "body_too_large"
    case .rejected: "rejected"
    case .notStored: "not_stored"
    case .cancelled(let cause): "cancelled_\(cause.rawValue)"
    }
  }
}
