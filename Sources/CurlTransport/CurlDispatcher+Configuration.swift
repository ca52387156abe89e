extension CurlDispatcher {
  /// How many requests run and wait, who is trusted, and how connections are made.
  public struct Configuration: Sendable {
    /// Limits of what runs and waits.
    public var limits: Limits
    /// Trust and versions of TLS.
    public var tls: TLSPolicy
    /// Which requests go through a proxy; none by default.
    public var proxies: ProxyPolicy
    /// How connections are made and kept.
    public var connections: ConnectionPolicy
    /// How many threads carry transfers, 1 to 64; 1.
    ///
    /// One carries tens of thousands of small requests a second. More help where TLS and decoding of large
    /// bodies keep one core busy. The requests of one origin stay on one thread, so that they share
    /// connections; ``Limits/total``, ``Limits/queue`` and ``ConnectionPolicy/kept`` hold for each thread.
    public var loops: Int
    /// What `User-Agent` says where a request doesn't; nil sends none.
    ///
    /// With a control character in it, or white space at an end, every request fails with
    /// `NetworkError.Kind.invalidRequest`.
    public var userAgent: String?

    /// Whether a thread spins for some microseconds before it blocks, while requests are sent one after
    /// another; true.
    ///
    /// It shortens small requests to servers nearby, and costs at most 140 µs of processor time per request. Turn it
    /// off where energy matters more, or where other work competes for all processors.
    public var spinning: Bool
    /// Whether a loop's thread keeps the memory that libcurl frees for its next transfers, at most 32 MiB;
    /// true.
    ///
    /// libcurl allocates and frees some forty blocks per request. Turn it off to see each block in a memory
    /// profiler.
    public var reusesMemory: Bool

    /// Whether response heads that were parsed before are kept; turned off by tests that run without it.
    package var cachesResponseHeads = true

    /// Creates a configuration.
    public init(
      limits: Limits = Limits(), tls: TLSPolicy = TLSPolicy(), proxies: ProxyPolicy = .direct,
      connections: ConnectionPolicy = ConnectionPolicy(), loops: Int = 1, userAgent: String? = "Switchyard",
      spinning: Bool = true, reusesMemory: Bool = true
    ) {
      self.limits = limits
      self.tls = tls
      self.proxies = proxies
      self.connections = connections
      self.loops = min(max(loops, 1), 64)
      self.userAgent = userAgent
      self.spinning = spinning
      self.reusesMemory = reusesMemory
    }
  }

  /// How many requests run and wait; a value below 1 counts as 1, the queue may be 0.
  public struct Limits: Sendable, Hashable {
    /// The most requests that run at a time; 64.
    public var total: Int
    /// The most requests that run at a time to one origin over HTTP/1.1, which is the most connections; 6.
    ///
    /// Until an origin of https has answered, ``streamsPerOrigin`` holds besides. It holds for long uploads
    /// over HTTP/2, too, each of which has a connection to itself with a libcurl before 8.1.
    public var perOrigin: Int
    /// The most requests that run at a time to one origin that has answered over HTTP/2; 100.
    ///
    /// Set it no higher than the servers' own limit for one connection, which is 100 or 128 as a rule:
    /// libcurl opens a connection for each request beyond that, instead of a second one for all of them.
    public var streamsPerOrigin: Int
    /// The maximum number of requests that wait; 10,000.
    ///
    /// One more fails with `NetworkError.Kind.queueFull`. A waiting request takes about 2 KiB beside its
    /// fields and its body.
    public var queue: Int
    /// The maximum number of bytes that the fields and buffered bodies of all waiting requests hold; 64 MiB.
    ///
    /// A request that would exceed it fails with `NetworkError.Kind.queueFull`. Files and streams count as
    /// nothing: they are read while they are sent.
    public var queuedBytes: Int
    /// The time of waiting that counts as much as twice the priority; 1 s.
    public var ageing: Duration

    /// Makes limits.
    public init(
      total: Int = 64, perOrigin: Int = 6, streamsPerOrigin: Int = 100, queue: Int = 10_000,
      queuedBytes: Int = 64 << 20, ageing: Duration = .seconds(1)
    ) {
      self.total = max(total, 1)
      self.perOrigin = max(perOrigin, 1)
      self.streamsPerOrigin = max(streamsPerOrigin, 1)
      self.queue = max(queue, 0)
      self.queuedBytes = max(queuedBytes, 0)
      self.ageing = max(ageing, .zero)
    }
  }
}
