public import Interception

/// What `--cache` says of a response, in a line.
public enum CacheNote {
  /// Returns the line; nil if no cache was asked.
  ///
  /// - Parameter hadCredentials: Whether the request had the field `Authorization`.
  public static func text(_ status: Exchange.CacheStatus?, hadCredentials: Bool = false) -> String? {
    guard let status else { return nil }
    switch status {
    case .hit(let ttl, let isHeuristic) where ttl >= 0:
      return "cache: hit, fresh for another \(ttl) s" + (isHeuristic ? " by a heuristic lifetime" : "")
    case .hit(let ttl, _): return "cache: hit, stale for \(-ttl) s"
    case .revalidated: return "cache: revalidated, the server has confirmed the stored response"
    case .forwarded(let reason, true, _): return "cache: stored; \(words(reason))"
    case .forwarded(.bypass, false, _), .forwarded(.method, false, _):
      return "cache: not used, because of the request"
    case .forwarded(_, false, _) where hadCredentials:
      return "cache: not stored, because the request has Authorization and the response does not say public"
    case .forwarded(_, false, _): return "cache: not stored, the response does not allow it"
    case .staleOnError(_, let status, let ttl):
      let why = status.map { "the server failed with \($0)" } ?? "the server did not respond"
      return "cache: stale for \(-ttl) s, used because \(why)"
    case .unsatisfied: return "cache: nothing stored, and only-if-cached forbids to send the request"
    }
  }

  private static func words(_ reason: Exchange.CacheStatus.ForwardReason) -> String {
    switch reason {
    case .bypass, .method: "the request bypasses it"
    case .uriMiss: "nothing had been stored for the URL before"
    case .varyMiss: "nothing had been stored for these header fields before"
    case .stale: "what was stored is stale"
    case .request: "the request demands the server's response"
    case .partial: "only part of it was stored"
    }
  }
}
