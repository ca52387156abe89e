/// Whose word counts for how long an answer is good.
public enum CachePolicy: Sendable, Hashable {
  /// The API's rule; what an answer states only shortens it.
  ///
  /// Choose it for APIs whose servers say little or nothing about caching, which are most.
  case declared
  /// The answer's own statement, as a private HTTP cache takes it (RFC 9111); the rule's lifetime is only the
  /// longest one.
  ///
  /// Choose it for servers that state `max-age` or `Expires` with care, and don't choose it otherwise: an
  /// answer that states neither is asked for, or confirmed, each time. It also stores every final status that
  /// states a lifetime, serves a part of what is stored to a `Range`, and honours `stale-while-revalidate`
  /// (RFC 5861).
  case stated
}
