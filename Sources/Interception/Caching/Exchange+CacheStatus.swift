extension Exchange {
  /// How a cache handled a request, in the terms of RFC 9211.
  public enum CacheStatus: Sendable, Hashable {
    /// Why a cache forwarded a request.
    public enum ForwardReason: String, Sendable, Hashable {
      /// The cache was configured not to handle the request.
      case bypass
      /// No response is stored under the key.
      case uriMiss = "uri-miss"
      /// The stored response is stale.
      case stale
      /// The request demanded a response from the server.
      case request
    }

    /// The response came from the cache and stays fresh for another `ttl` seconds; negative if it was stale.
    case hit(ttl: Int64)
    /// The request was forwarded to the server, and its response was stored or not.
    case forwarded(ForwardReason, stored: Bool)
    /// The server confirmed the stored response with a 304.
    case revalidated

    /// Whether the caller received the stored content.
    public var isHit: Bool {
      switch self {
      case .hit, .revalidated: true
      case .forwarded: false
      }
    }
  }
}

extension Exchange.CacheStatus: CustomStringConvertible {
  /// The parameters of a `Cache-Status` member, such as "hit; ttl=54" or "fwd=uri-miss; stored".
  public var description: String {
    switch self {
    case .hit(let ttl): "hit; ttl=\(ttl)"
    case .forwarded(let reason, let stored): "fwd=\(reason.rawValue)" + (stored ? "; stored" : "")
    case .revalidated: "fwd=stale; fwd-status=304; stored"
    }
  }
}
