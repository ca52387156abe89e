extension CurlDispatcher {
  /// Limits, trust and connections of a dispatcher.
  public struct Configuration: Sendable {
    /// The maximum numbers of running and waiting requests.
    package var limits: Limits
    /// Trust and versions of TLS.
    package var tls: TLSPolicy
    /// The proxies that requests go through; none by default.
    package var proxies: ProxyPolicy
    /// How connections are opened and kept.
    package var connections: ConnectionPolicy
    /// When HTTP/3 is tried; when advertised.
    package var http3: HTTP3Use
    /// Whether content is sent over HTTP/3, too; only for tests of what else holds there, see
    /// ``EndedUpload``.
    var sendsContentOverHTTP3 = false
    /// Where advertisements of HTTP/3 are kept for the next start; nil for nowhere.
    package var alternativeServices: AlternativeServiceFile?
    /// The number of threads that carry transfers, 1 to 64; 1.
    package var loops: Int
    /// The `User-Agent` of requests that have none; nil sends none.
    package var userAgent: String?
    /// Whether threads spin briefly before they block while requests are sent one after another; true.
    package var spinning: Bool
    /// Whether threads keep the memory that libcurl frees for their next transfers, at most 32 MiB; true.
    ///
    /// libcurl allocates some forty blocks per request. Turn it off to see each one in a memory profiler.
    package var reusesMemory = true

    /// Whether parsed response heads are cached; the conformance suite and the soak also run without.
    package var cachesResponseHeads = true

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - limits: The maximum numbers of running and waiting requests.
    ///   - tls: Trust and versions of TLS.
    ///   - proxies: The proxies that requests go through; none by default.
    ///   - connections: How connections are opened and kept.
    ///   - http3: When HTTP/3 is tried; by default when an origin has advertised it.
    ///   - alternativeServices: The file that keeps advertisements of HTTP/3 for the next start; by default
    ///     they are kept in memory.
    ///   - loops: The number of threads that carry transfers, 1 to 64; 1.
    ///
    ///     One carries tens of thousands of small requests per second; more help if TLS and decoding are the
    ///     limit. An origin's requests use one thread. ``Limits`` and `kept` apply per
    ///     thread.
    ///   - userAgent: The `User-Agent` of requests that have none; nil sends none.
    ///
    ///     An invalid one, such as with a control character, fails every request as `invalidRequest`.
    ///   - spinning: Whether threads spin briefly before they block while requests are sent one after
    ///     another; true.
    ///
    ///     It shortens small requests to nearby servers, for at most 140 µs of processor time each: the
    ///     thread spins for the next request, and the caller of the only request for its response. The same
    ///     holds for the messages of a WebSocket. Turn it off to save energy, or if other work needs all
    ///     processors.
    public init(
      limits: Limits = Limits(), tls: TLSPolicy = TLSPolicy(), proxies: ProxyPolicy = .direct,
      connections: ConnectionPolicy = ConnectionPolicy(), http3: HTTP3Use = .whenAdvertised,
      alternativeServices: AlternativeServiceFile? = nil, loops: Int = 1,
      userAgent: String? = "Switchyard", spinning: Bool = true
    ) {
      self.limits = limits
      self.tls = tls
      self.proxies = proxies
      self.connections = connections
      self.http3 = http3
      self.alternativeServices = alternativeServices
      self.loops = min(max(loops, 1), 64)
      self.userAgent = userAgent
      self.spinning = spinning
    }
  }

  /// The maximum numbers of running and waiting requests; values below 1 count as 1, but the queue may be 0.
  public struct Limits: Sendable, Hashable {
    /// The maximum number of running requests; 64.
    package var total: Int
    /// The maximum number of running requests, and thus of connections, per origin over HTTP/1.1; 6.
    package var perOrigin: Int
    /// The maximum number of running requests per origin over HTTP/2; 100.
    package var streamsPerOrigin: Int
    /// The maximum number of waiting requests; 10,000.
    package var queue: Int
    /// The maximum number of bytes of the fields and buffered bodies of all waiting requests; 64 MiB.
    package var queuedBytes: Int
    /// The waiting time that counts as much as doubling the priority; 1 s.
    package var ageing = Duration.seconds(1)
    /// The maximum number of connections that have switched to another protocol, such as WebSockets; 1,000.
    package var upgrades: Int

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - total: The maximum number of running requests; 64.
    ///
    ///     Further attempts of the DNS bypass to connect one request to another address are not counted.
    ///   - perOrigin: The maximum number of running requests, and thus of connections, per origin over
    ///     HTTP/1.1; 6.
    ///
    ///     Until an https origin has responded, `streamsPerOrigin` applies as well. With libcurl before 8.1
    ///     it also limits long uploads over HTTP/2, each of which has its own connection.
    ///   - streamsPerOrigin: The maximum number of running requests per origin over HTTP/2; 100.
    ///
    ///     Set it no higher than the servers' own limit per connection, usually 100 or 128: libcurl opens a
    ///     connection for each request beyond that limit, instead of one for all of them.
    ///   - queue: The maximum number of waiting requests; 10,000.
    ///
    ///     A request may wait for as long as those before it progress; limit the wait by
    ///     `RequestOptions.Timeouts.queue`. If the app reads none of the streamed responses that hold the
    ///     connections, it fails after `RequestOptions.Timeouts.idle`.
    ///
    ///     One more fails with `NetworkError.Kind.queueFull`. Each takes about 2 KiB plus its fields and
    ///     body.
    ///   - queuedBytes: The maximum number of bytes of the fields and buffered bodies of all waiting
    ///     requests; 64 MiB.
    ///
    ///     Exceeding it fails with `NetworkError.Kind.queueFull`. Files and streams do not count.
    ///   - upgrades: The maximum number of connections that have switched to another protocol, such as
    ///     WebSockets; 1,000.
    ///
    ///     They are no requests, so `total` does not count them. One more fails with
    ///     `NetworkError.Kind.queueFull`, before its handshake is sent.
    public init(
      total: Int = 64, perOrigin: Int = 6, streamsPerOrigin: Int = 100, queue: Int = 10_000,
      queuedBytes: Int = 64 << 20, upgrades: Int = 1_000
    ) {
      self.total = max(total, 1)
      self.perOrigin = max(perOrigin, 1)
      self.streamsPerOrigin = max(streamsPerOrigin, 1)
      self.queue = max(queue, 0)
      self.queuedBytes = max(queuedBytes, 0)
      self.upgrades = max(upgrades, 1)
    }
  }
}
