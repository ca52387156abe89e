import HTTPTypes
public import Interception
import Synchronization

/// Connects to addresses from the app's own table instead of asking the system's DNS, and to the fastest one
/// first.
///
/// ```swift
/// let hosts = ["api.estate.example": ["203.0.113.7", "2001:db8::7"]]
/// let table = try AddressTable(hosts, allowing: [.documentation])  // Not needed for a server's addresses.
/// let bypass = DNSBypassInterceptor(table)
/// let pipeline = try Pipeline(over: CurlDispatcher()) { bypass }
/// ```
///
/// Use it if the system's DNS is slow, poisoned or returns distant servers. Don't use it for hosts whose
/// addresses the app can't keep up to date. It stands at stage `routing`: what is signed and cached doesn't
/// depend on it, and each hop of a redirect is looked up by its own host.
///
/// The URL is never rewritten: `Host`, SNI and certificate verification still use the host name; only
/// `context.connectTarget` determines where to connect. Hosts that are not in the table are unaffected, as
/// are requests that already have a `connectTarget`.
///
/// With an ``HTTPSNameResolver`` the other hosts are looked up by DNS over HTTPS; one that it can't tell is
/// left to the system's DNS, which is the last resort of all hosts. Over a `CurlDispatcher` that can use
/// HTTP/3, their HTTPS records choose it for the first request. Hosts of the table have no records; an
/// `Alt-Svc` of theirs is used as without the bypass, at the table's addresses.
///
/// ## Connecting
///
/// A request to a host that was reached in the last minute goes to its best address. If that makes no
/// connection within `attemptDelay`, or the host was not reached recently, its addresses race: the next one
/// is tried whenever the newest is not connected after the delay, or has failed (RFC 8305). The first one to
/// be connected sends the request; the others end without sending a byte, so the request is sent at most
/// once, and its body is read at most once. Their connections are kept if they have become HTTP/2
/// connections by the time the response begins; libcurl closes the others. The system's DNS is asked when all
/// addresses have failed, or 2 s after the last one was tried. If that fails too, the error lists each
/// address and its cause. A request that may have reached a server is never sent again here; that is left to
/// a retry interceptor.
///
/// An address at which TLS fails counts as failed, too, so that one wrong or intercepted server doesn't keep
/// the app from the others. If TLS fails at all of them, the error is that of the certificate.
///
/// Only `CurlDispatcher` can race. Over another dispatcher that connects to targets, an address is tried when
/// the one before has failed, and each has 3 s at most.
///
/// ## Learning
///
/// The fastest address is found by the connect times of transfers, and by probes in the background: TCP
/// connections to all addresses of a host after its first use, every 5 min while it is used, and after
/// ``networkDidChange()``. The current address is kept until another one is faster by 15 % and 10 ms. An
/// address that fails is not used for 30 s, and after each further failure for twice as long, up to 10 min.
///
/// Requests that `CurlDispatcher` sends through a proxy are sent once, nothing is learnt from them, and their
/// hosts are not probed: the proxy resolves the name.
public final class DNSBypassInterceptor: Interceptor {
  private struct State {
    var table: AddressTable
    var hosts: [HostName: KnownHost] = [:]
    /// The hosts that the resolver has found, which are not in the table.
    var resolvedHosts: [HostName: KnownHost] = [:]
    /// The latest authority that was looked up, and its host; an app sends many requests to one in a row.
    var latest: (authority: String, scheme: String, host: KnownHost?)?

    mutating func update(_ table: AddressTable) {
      self.table = table
      latest = nil
      for (name, host) in hosts {
        let addresses = table.addresses(of: name)
        if addresses.isEmpty { hosts[name] = nil } else { host.adopt(addresses) }
      }
    }

    /// Returns a host of the table; nil if the table doesn't contain it.
    mutating func host(of authority: String, scheme: String) -> KnownHost? {
      if let latest, latest.authority == authority, latest.scheme == scheme { return latest.host }
      let host = tableHost(of: authority, scheme: scheme)
      latest = (authority, scheme, host)
      return host
    }

    private mutating func tableHost(of authority: String, scheme: String) -> KnownHost? {
      guard let name = table.name(for: authority, scheme: scheme) else { return nil }
      if let index = hosts.index(forKey: name) { return hosts.values[index] }
      let standard = scheme.lowercased() == "http" ? 80 : 443
      let host = KnownHost(name, port: name.port ?? standard, addresses: table.addresses(of: name))
      hosts[name] = host
      return host
    }

    /// Returns a host at the addresses that the resolver has found.
    mutating func host(_ name: HostName, port: Int, resolvedTo addresses: [ConnectTarget]) -> KnownHost {
      if let host = resolvedHosts[name] {
        if host.addresses != addresses { host.adopt(addresses) }
        return host
      }
      // What was measured is forgotten with the hosts.
      if resolvedHosts.count >= NameCache.limit { resolvedHosts = [:] }
      let host = KnownHost(name, port: port, addresses: addresses)
      resolvedHosts[name] = host
      return host
    }
  }

  /// The time for an address over a dispatcher that can't race.
  static let sequentialLimit = Duration.seconds(3)

  /// At stage `routing`, over a dispatcher that can connect to a given address.
  public let traits = InterceptorTraits(
    stage: .routing, callsNext: .anyNumber, requires: [.dispatcher(.connectTarget)])
  /// Sent when a request has no address left to try.
  let exhaustion = ExhaustionSignal()
  /// The time after which the next address is tried; 250 ms by default.
  package let attemptDelay: Duration
  private let state: Mutex<State>
  private let probes: ProbeRunner?
  private let resolver: HTTPSNameResolver?
  let attemptLimit: Int
  let time: TimeSource

  /// Creates a bypass with a table, which ``update(_:)`` can replace later.
  ///
  /// - Parameters:
  ///   - attemptDelay: The time after which the next address is tried, 10 ms to 2 s (RFC 8305, section 8);
  ///     250 ms. A request's own time limits apply to all its attempts together.
  ///   - attemptLimit: The maximum number of addresses per request, before the system's DNS; 4.
  ///   - resolver: Looks up the hosts that are not in the table; nil leaves them to the system's DNS.
  ///   - isProbing: Whether addresses are measured in the background too, by direct connections, and not only
  ///     by the connections of requests.
  ///   - time: The clock for delays, circuit breakers and probes.
  public convenience init(
    _ table: AddressTable, attemptDelay: Duration = .milliseconds(250), attemptLimit: Int = 4,
    resolver: HTTPSNameResolver? = nil, isProbing: Bool = true, time: TimeSource = .system
  ) {
    self.init(
      table, attemptDelay: attemptDelay, attemptLimit: attemptLimit, resolver: resolver,
      prober: isProbing ? .tcp : nil, time: time)
  }

  /// Creates a bypass that measures addresses by a prober.
  package init(
    _ table: AddressTable, attemptDelay: Duration = .milliseconds(250), attemptLimit: Int = 4,
    resolver: HTTPSNameResolver? = nil, prober: AddressProber?, time: TimeSource = .system
  ) {
    state = Mutex(State(table: table))
    probes = prober.map { ProbeRunner($0, time: time) }
    self.attemptDelay = min(max(.milliseconds(10), attemptDelay), .seconds(2))
    self.attemptLimit = max(1, attemptLimit)
    self.resolver = resolver
    self.time = time
  }

  deinit { probes?.stop() }

  /// The table in use.
  package var table: AddressTable { state.withLock { $0.table } }

  /// Replaces the table.
  ///
  /// Measurements of the remaining addresses are kept. Requests in flight are not affected.
  public func update(_ table: AddressTable) { state.withLock { $0.update(table) } }

  /// Forgets failures, and measures the addresses of the hosts in use again.
  ///
  /// Call it when the machine has moved to another network, together with
  /// `CurlDispatcher.networkDidChange()`. Until new measurements have come, the order of the former network
  /// is used.
  public func networkDidChange() {
    resolver?.networkDidChange()
    let hosts = state.withLock { Array($0.hosts.values) + Array($0.resolvedHosts.values) }
    for host in hosts { host.networkDidChange() }
    probe(hosts.filter(\.canProbe))
  }

  /// Measures the addresses of every host in the table in the background, at most 10 at a time.
  ///
  /// Call it when the app starts, so that even a host's first request goes to its fastest address. A name
  /// that covers every port is measured at port 443, or at the ports of its addresses. The connections are
  /// direct: don't call it where a proxy is required, which the bypass only learns from the first request.
  public func probeAll() {
    let hosts = state.withLock { state in
      state.table.hosts.compactMap { state.host(of: $0, scheme: "https") }
    }
    probe(hosts.filter(\.canProbe))
  }

  /// Returns a request once for each usable address of its host in the table, the best address first.
  ///
  /// Use it to open connections ahead, to one address or to all of them:
  ///
  /// ```swift
  /// for request in bypass.requestPerAddress(try Request("https://api.estate.example/")) {
  ///   try? await dispatcher.connect(for: request)
  /// }
  /// ```
  ///
  /// Addresses that have failed shortly before are left out. A request to a host that is not in the table, or
  /// that has a `connectTarget`, is returned as it is.
  public func requestPerAddress(_ request: Request) -> [Request] {
    guard request.connectTarget == nil, let authority = request.head.authority,
      let host = state.withLock({ $0.host(of: authority, scheme: request.head.scheme ?? "") })
    else { return [request] }
    return host.candidates(after: [], limit: .max, retriesSilent: false, at: time.now()).map { target in
      var request = request
      request.context.connectTarget = target
      return request
    }
  }

  /// Measures the addresses of hosts in the background.
  func probe(_ hosts: [KnownHost]) { probes?.enqueue(hosts) }

  /// Returns what is known about each address of a host, in the table's order; empty before the host's first
  /// use.
  public func statuses(of authority: String, scheme: String = "https") -> [AddressStatus] {
    let now = time.now()
    return state.withLock { state in
      if let name = state.table.name(for: authority, scheme: scheme) {
        return state.hosts[name]?.statuses(at: now) ?? []
      }
      return HostName(authority: authority).flatMap { state.resolvedHosts[$0]?.statuses(at: now) } ?? []
    }
  }

  /// What is known about each address of the hosts in use, by the hosts' names.
  var knownStatuses: [(host: String, statuses: [AddressStatus])] {
    let now = time.now()
    return state.withLock { state in
      (Array(state.hosts) + Array(state.resolvedHosts)).map {
        ($0.key.description, $0.value.statuses(at: now))
      }
    }
  }

  /// Sends a request to the best address of its host, and to the next ones if no connection can be made.
  ///
  /// - Throws: The error of the last attempt. If no connection could be made at all, an error of that kind
  ///   that lists every address with its cause. If the system's DNS doesn't know the name, the kind is that
  ///   of the last address, or `connect` if all of them had failed shortly before.
  public func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    guard request.connectTarget == nil, let authority = request.head.authority,
      let (host, http3Port) = await knownHost(of: authority, request, next.capabilities)
    else { return try await next.dispatch(request) }
    let request = http3Port.map(request.withHTTP3Record) ?? request

    let start = time.now()
    let choice = host.choose(delay: attemptDelay, at: start)
    var pending = PendingRequest(
      request: request, authority: authority, host: host, network: choice.network, start: start)
    guard let target = choice.established else { return try await race(pending, next: next) }
    if choice.isProbeDue { probe([host]) }
    do throws(NetworkError) {
      let response = try await next.dispatch(directed(request, to: target, next.capabilities))
      let transport = response.transport
      if !choice.isFresh || transport?.connectionWasReused == false {
        host.noteSuccess(of: target, transport, in: choice.network, at: start)
      }
      return response
    } catch {
      guard error.isUnconnected() else { throw error }
      pending.failures.append(BypassError.Attempt(target: target, error: error))
      let now = time.now()
      if host.noteFailure(of: target, error.failureCause, in: choice.network, at: now) {
        pending.blamed.append(target)
      }
    }
    return try await race(pending, next: next)
  }

  /// Returns a host of the table, or one that the resolver has found, with the port at which its HTTPS
  /// records advertise HTTP/3; nil leaves it to the system's DNS.
  // Inlined, so that a host of the table, for which nothing suspends, costs no asynchronous call.
  @inline(__always)
  private func knownHost(
    of authority: String, _ request: Request, _ capabilities: DispatcherCapabilities
  ) async -> (KnownHost, http3Port: Int?)? {
    let scheme = request.head.scheme ?? ""
    if let host = state.withLock({ $0.host(of: authority, scheme: scheme) }) { return (host, nil) }
    guard let resolver, let name = HostName(authority: authority), HostName(name.host) != nil else {
      return nil
    }
    let port = name.port ?? (scheme.lowercased() == "http" ? 80 : 443)
    let wantsRecords = capabilities.contains(.http3Records) && request.mayUseHTTP3
    let found: (targets: [ConnectTarget], http3Port: Int?)? =
      if wantsRecords {
        try? await resolver.origin(at: name.host, port: port)
      } else {
        (try? await resolver.addresses(of: name.host)).map { ($0, nil) }
      }
    guard let (addresses, http3Port) = found, !addresses.isEmpty else { return nil }
    return state.withLock { state in
      // The table may have been updated while the name was looked up.
      if let host = state.host(of: authority, scheme: scheme) { return (host, nil) }
      return (state.host(name, port: port, resolvedTo: addresses), http3Port)
    }
  }

  /// Returns a request to an address that connects fast if it works.
  private func directed(
    _ request: Request, to target: ConnectTarget, _ capabilities: DispatcherCapabilities
  ) -> Request {
    let canRace = capabilities.contains(.connectRacing)
    var request = request
    request.context.connectTarget = target
    // The body must not be read before it is certain that no other address needs it.
    if canRace, request.body.replay == .once { request.context.raceEntry = ConnectRace().entry(0) }
    request.lowerConnectLimit(to: canRace ? attemptDelay : Self.sequentialLimit)
    return request
  }
}

extension Request {
  /// Whether HTTP/3 can carry it, if its origin speaks it.
  fileprivate var mayUseHTTP3: Bool {
    head.scheme?.lowercased() == "https" && body.isEmpty && !asksForUpgrade && !hasTrailers
  }

  /// Returns a copy whose origin has an HTTPS record with HTTP/3.
  fileprivate func withHTTP3Record(at port: Int) -> Request {
    var request = self
    request.context.http3RecordPort = port
    return request
  }
}

extension DNSBypassInterceptor: CircuitReporter {
  /// False: a circuit belongs to an address.
  package var watchesOrigins: Bool { false }

  /// The circuits of the addresses that were used, tried or measured.
  package var circuits: [CircuitStatus] {
    knownStatuses.flatMap { host, statuses in
      statuses.filter { $0.failures > 0 || $0.connectTime != nil }.map { status in
        CircuitStatus(
          name: "\(host) at \(status.target)",
          state: status.circuitOpenFor.map { .open(for: $0) } ?? .closed, failures: status.failures)
      }
    }
    .sorted { $0.name < $1.name }
  }
}
