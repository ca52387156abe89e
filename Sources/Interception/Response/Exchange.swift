/// How an answer came about: attempts, cache, transport.
public struct Exchange: Sendable, Hashable {
  /// How often the request was tried; 0 when nothing left the process.
  public var attempts: Int
  /// What the cache did; nil where none stands in the chain.
  public var cache: CacheStatus?
  /// What the transport saw; nil when none was used.
  public var transport: TransportReport? {
    get {
      if case .report(let report) = held { report } else { nil }
    }
    set { held = newValue.map(Held.report) }
  }

  // Every step of a chain moves the answer on, and the report is most of its bytes.
  private indirect enum Held: Sendable, Hashable {
    case report(TransportReport)
  }

  private var held: Held?

  /// Makes a report.
  public init(attempts: Int = 0, cache: CacheStatus? = nil, transport: TransportReport? = nil) {
    self.attempts = attempts
    self.cache = cache
    held = transport.map(Held.report)
  }
}
