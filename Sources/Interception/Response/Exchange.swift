/// A report of how a response was obtained: attempts, cache and transport.
public struct Exchange: Sendable, Hashable {
  /// The number of attempts; 0 if nothing was sent.
  public var attempts: Int
  /// How the cache was used; nil if the chain has none.
  public var cache: Exchange.CacheStatus?
  /// The transport's report; nil if no transport was used.
  public var transport: TransportReport?

  /// Creates a report.
  public init(attempts: Int = 0, cache: Exchange.CacheStatus? = nil, transport: TransportReport? = nil) {
    self.attempts = attempts
    self.cache = cache
    self.transport = transport
  }
}
