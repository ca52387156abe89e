extension CacheRule {
  /// What a cache knows about the response to a request without waiting.
  public enum StoredState: Sendable, Hashable {
    /// Not known without waiting, for example because the cache would have to read a disk.
    case unknown
    /// No response is stored that may be used without the server, or the cache is not used for the request.
    case absent
    /// A stale response is stored, which must be revalidated.
    case stale
    /// A response is stored that may be used without waiting for the server.
    case fresh
  }
}
