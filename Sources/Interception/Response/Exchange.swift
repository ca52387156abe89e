/// How an answer came about: attempts, cache, transport.
public struct Exchange: Sendable, Hashable {
  /// How often the request was tried; 0 when nothing left the process.
  public var attempts: Int
  /// What the cache did; nil where none stands in the chain.
  public var cache: CacheStatus?
  /// What the transport saw; nil when none was used.
  public var transport: TransportReport?

  /// Makes a report.
  public init(attempts: Int = 0, cache: CacheStatus? = nil, transport: TransportReport? = nil) {
    self.attempts = attempts
    self.cache = cache
    self.transport = transport
  }
}
