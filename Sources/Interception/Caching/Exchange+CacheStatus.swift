extension Exchange {
  /// How a cache handled a request, in the terms of RFC 9211.
  public enum CacheStatus: Sendable, Hashable {
    /// Why a cache forwarded a request (RFC 9211, section 2.2).
    public enum ForwardReason: String, Sendable, Hashable {
      /// The cache was configured not to handle the request.
      case bypass
      /// The request's method requires that it reaches the server.
      case method
      /// No response is stored for the URI.
      case uriMiss = "uri-miss"
      /// Responses are stored for the URI, but none for these request header fields.
      case varyMiss = "vary-miss"
      /// The stored response is stale.
      case stale
      /// The request demanded a response from the server.
      case request
    }

    /// The response came from the cache and stays fresh for another `ttl` seconds; negative if it was stale.
    case hit(ttl: Int64)
    /// The request was forwarded to the server, and its response was stored or not.
    ///
    /// If `collapsed` is true, the response is the one to an identical request that was already in flight.
    case forwarded(ForwardReason, stored: Bool, collapsed: Bool = false)
    /// The server confirmed the stored response with a 304, which was stored or not.
    case revalidated(ForwardReason = .stale, stored: Bool = true)
    /// The server failed, with a status or without a response, and the response is a stored one that has
    /// been stale for `-ttl` seconds (RFC 5861, section 4).
    case staleOnError(ForwardReason = .stale, status: Int?, ttl: Int64)
    /// The request's `only-if-cached` forbade the cache to forward it, and nothing suitable is stored: the
    /// cache created a 504 (RFC 9111, section 5.2.1.7).
    case unsatisfied

    /// Whether the caller received the stored content.
    public var isHit: Bool {
      switch self {
      case .hit, .revalidated, .staleOnError: true
      case .forwarded, .unsatisfied: false
      }
    }
  }
}

extension Exchange.CacheStatus: CustomStringConvertible {
  /// The parameters of a `Cache-Status` member, such as "hit; ttl=54" or "fwd=uri-miss; stored".
  public var description: String {
    switch self {
    case .hit(let ttl): "hit; ttl=\(ttl)"
    case .forwarded(let reason, let stored, let collapsed):
      "fwd=\(reason.rawValue)" + (stored ? "; stored" : "") + (collapsed ? "; collapsed" : "")
    case .revalidated(let reason, let stored):
      "fwd=\(reason.rawValue); fwd-status=304" + (stored ? "; stored" : "")
    case .staleOnError(let reason, let status, let ttl):
      "fwd=\(reason.rawValue)" + (status.map { "; fwd-status=\($0)" } ?? "") + "; ttl=\(ttl)"
    case .unsatisfied: "detail=only-if-cached"
    }
  }
}
