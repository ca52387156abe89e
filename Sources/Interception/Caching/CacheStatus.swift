/// What a cache did with a request, in the words of RFC 9211.
public enum CacheStatus: Sendable, Hashable {
  /// Why a cache handed a request on.
  public enum ForwardReason: String, Sendable, Hashable {
    /// The cache was told not to take part.
    case bypass
    /// Nothing is stored under the key.
    case uriMiss = "uri-miss"
    /// What is stored is no longer fresh.
    case stale
    /// The request asked for the server's own answer.
    case request
  }

  /// The answer came from the store and is fresh for `ttl` seconds more; negative when it was stale.
  case hit(ttl: Int64)
  /// The request went to the server, and its answer was stored or not.
  case forwarded(ForwardReason, stored: Bool)
  /// The server confirmed with a 304 what was stored.
  case revalidated

  /// Whether the caller was answered without the server's content.
  public var isHit: Bool {
    switch self {
    case .hit, .revalidated: true
    case .forwarded: false
    }
  }
}

extension CacheStatus: CustomStringConvertible {
  /// The parameters of a `Cache-Status` member, as in «hit; ttl=54» or «fwd=uri-miss; stored».
  public var description: String {
    switch self {
    case .hit(let ttl): "hit; ttl=\(ttl)"
    case .forwarded(let reason, let stored): "fwd=\(reason.rawValue)" + (stored ? "; stored" : "")
    case .revalidated: "fwd=stale; fwd-status=304; stored"
    }
  }
}
