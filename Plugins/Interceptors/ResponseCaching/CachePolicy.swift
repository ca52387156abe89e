/// What determines how long a response is fresh.
public enum CachePolicy: Sendable, Hashable {
  /// The API's rule; a lifetime stated in the response can only shorten it.
  ///
  /// Choose this for APIs whose servers say little or nothing about caching, which is common.
  case declared
  /// The response's header fields, as for a private HTTP cache (RFC 9111); the rule's lifetime is only the
  /// maximum.
  ///
  /// Choose this only for servers that set `max-age` or `Expires` carefully: a response with neither is
  /// requested or revalidated each time. This policy also stores every final status with a stated lifetime,
  /// answers a `Range` from a stored response, and honors `stale-while-revalidate` (RFC 5861).
  case stated
}
