extension NetworkError {
  /// What failed; cases are added in major versions only.
  public enum Kind: Sendable, Hashable {
    /// The request is malformed or cannot be sent.
    case invalidRequest
    /// There is no network.
    case offline
    /// The host name could not be resolved.
    case resolve
    /// No connection could be established.
    case connect
    /// The proxy requires credentials or rejected them.
    case proxyAuthentication
    /// The TLS handshake failed.
    case tls(TLSFault)
    /// A phase exceeded its time limit.
    case timeout(Phase)
    /// The dispatcher's queue is full.
    case queueFull
    /// The process has no file descriptors left.
    case descriptorsExhausted
    /// The loaded system library does not support what the request needs; the reason names the required
    /// version.
    case unsupported
    /// The server violated the HTTP protocol.
    case protocolViolation
    /// The connection was lost.
    case transport
    /// A body that can be read only once was needed again.
    case bodyNotReplayable
    /// A body is longer than allowed.
    case bodyTooLarge(limit: Int64)
    /// An interceptor refused the request or the response.
    case rejected
    /// The credentials are no longer valid and can't be renewed; the user must log in.
    case needsLogin
    /// There is no stored response, and the request must not be sent to the server.
    case notStored
    /// The request was cancelled by its caller or by the dispatcher's shutdown.
    case cancelled(Cause)
  }

  /// What was wrong with the server's certificate or the handshake.
  public enum TLSFault: Sendable, Hashable {
    /// No certificate chain leads to a trusted authority.
    case untrusted
    /// The certificate is for another name.
    case nameMismatch
    /// The certificate is expired or not yet valid.
    case expired
    /// The chain contains no pinned key.
    case pinMismatch
    /// Any other failure, such as no common protocol version.
    case handshake
  }

  /// A phase of a request with a time limit.
  public enum Phase: Sendable, Hashable {
    /// The wait for a free connection.
    case queue
    /// Name resolution, connection and TLS handshake.
    case connect
    /// The wait for the first byte of the response.
    case firstByte
    /// The time without a byte received or sent.
    case idle
    /// The whole attempt.
    case whole
    /// The whole call, with all its attempts.
    case call
  }

  /// Why a request was cancelled.
  public enum Cause: Sendable, Hashable {
    /// The caller's task was cancelled, or its manager cancelled the request.
    case task
    /// The dispatcher was shut down.
    case shutdown
  }

  /// The error's kind as a metric label, from a bounded set.
  public var label: String {
    switch kind {
    case .invalidRequest: "invalid_request"
    case .offline: "offline"
    case .resolve: "resolve"
    case .connect: "connect"
    case .proxyAuthentication: "proxy_authentication"
    case .tls(let fault): "tls_\(fault)"
    case .timeout(let phase): "timeout_\(phase)"
    case .queueFull: "queue_full"
    case .descriptorsExhausted: "descriptors_exhausted"
    case .unsupported: "unsupported"
    case .protocolViolation: "protocol_violation"
    case .transport: "transport"
    case .bodyNotReplayable: "body_not_replayable"
    case .bodyTooLarge: "body_too_large"
    case .rejected: "rejected"
    case .needsLogin: "needs_login"
    case .notStored: "not_stored"
    case .cancelled(let cause): "cancelled_\(cause)"
    }
  }
}
