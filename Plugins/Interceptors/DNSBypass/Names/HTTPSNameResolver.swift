import Cryptography
import HTTPTypes
public import Interception
import Synchronization

/// Asks a server for the addresses of hosts by DNS over HTTPS (RFC 8484).
///
/// ```swift
/// let resolver = try HTTPSNameResolver("https://dns.example/dns-query", over: CurlDispatcher())
/// let bypass = DNSBypassInterceptor(.empty, resolver: resolver)
/// ```
///
/// Use it where the network's own DNS is slow or forged. Don't use it for hosts that only the network's DNS
/// knows, such as those of an office. The name of the server itself is looked up by the system's DNS, unless
/// the dispatcher is a pipeline with a ``DNSBypassInterceptor`` whose table has its addresses.
///
/// Answers are kept for as long as they state, 10 s to a day; that a name has no address, for a minute. If
/// the server can't be reached, an answer is used for an hour longer, and the server is not asked for 30 s.
/// Both kinds of addresses are asked for at the same time, by requests that are equal for equal names, so
/// that a `SharingInterceptor` in the pipeline joins look-ups at the same time.
///
/// Over a dispatcher that tries HTTP/3 when it is advertised, the HTTPS records of an https origin (RFC 9460)
/// are asked for at the same time, so that even its first request can use HTTP/3. A request waits for them
/// until 50 ms after the addresses have come, and later requests use an answer that comes later. If there is
/// none, or it is malformed, the records are not asked for again for a minute.
public final class HTTPSNameResolver: Sendable {
  /// The maximum length of an answer.
  private static let maximumLength = 64 << 10
  /// The maximum number of aliases among HTTPS records that are followed; operators publish one or two.
  private static let maximumAliases = 4

  private let url: String
  private let ownHost: String?
  private let dispatcher: any Dispatcher
  private let ranges: Set<SpecialAddressRange>
  private let limit: Duration
  private let time: TimeSource
  private let onFault: @Sendable (NetworkError) -> Void
  private let cache = Mutex(NameCache())
  private let services = Mutex(ServiceCache())

  /// Creates a resolver, which sends nothing before it is asked.
  ///
  /// - Parameters:
  ///   - url: The URL of the server, without the parameter `dns`.
  ///   - dispatcher: What sends the requests: a pipeline other than the one whose hosts it looks up.
  ///   - limit: The maximum time of a look-up; 5 s.
  ///   - ranges: Ranges that are allowed in addition to public addresses. Others are ignored, so that a name
  ///     of the Internet can't lead to a server of the local network.
  ///   - time: The clock by which answers become invalid.
  ///   - onFault: Called with the error of a look-up that found nothing, because the bypass then leaves the
  ///     host to the system's DNS without one; a wrong URL would not be noticed otherwise.
  /// - Throws: `NetworkError.Kind.invalidRequest` if the URL is malformed or does not begin with `https`.
  public init(
    _ url: String, over dispatcher: any Dispatcher, limit: Duration = .seconds(5),
    allowing ranges: Set<SpecialAddressRange> = [], time: TimeSource = .system,
    onFault: @escaping @Sendable (NetworkError) -> Void = { _ in }
  ) throws(NetworkError) {
    let head = try Request(url).head
    guard head.scheme == "https" else {
      throw NetworkError(.invalidRequest, "The URL of a resolver begins with https://; correct it.")
    }
    self.url = url
    ownHost = head.authority.flatMap { HostName(authority: $0)?.host }
    self.dispatcher = dispatcher
    self.limit = limit
    self.ranges = ranges
    self.time = time
    self.onFault = onFault
  }

  /// Returns the addresses of a host, IPv6 and IPv4 in turn; none if it has none.
  ///
  /// - Throws: `NetworkError.Kind.resolve` if the server can't be reached or gives no answer, and there is no
  ///   earlier answer that could be used.
  package func addresses(of host: String) async throws(NetworkError) -> [ConnectTarget] {
    try await addresses(ofComparable: AuthoritySyntax.comparable(host: host)).targets
  }

  /// Returns the addresses of a host, and the port at which its https origin speaks HTTP/3 by its HTTPS
  /// records, if it does.
  ///
  /// What becomes of the records makes no difference to the addresses.
  ///
  /// - Parameter port: The port of the origin.
  func origin(
    at host: String, port: Int
  ) async throws(NetworkError) -> (targets: [ConnectTarget], http3Port: Int?) {
    let name = ServiceName(host: AuthoritySyntax.comparable(host: host), port: port)
    ask(for: name)
    let addresses = try await addresses(ofComparable: name.host)
    guard !addresses.targets.isEmpty else { return ([], nil) }
    await waitForService(name)
    let service = services.withLock { $0.service(name, at: time.now()) }
    return (addresses.targets, service?.http3Port(at: addresses.names, originPort: port))
  }

  private func addresses(ofComparable host: String) async throws(NetworkError) -> HostAddresses {
    let (known, isPaused, network) = cache.withLock { cache in
      let now = time.now()
      return (cache.lookUp(host, at: now), cache.isPaused(at: now), cache.network)
    }
    if case .fresh(let addresses) = known { return addresses }
    // It would ask itself, if it looks up the hosts of its own pipeline.
    guard host != ownHost else { throw failure("\(host) is its own name") }
    guard !isPaused else {
      if case .stale(let addresses) = known { return addresses }
      throw failure("it could not be reached shortly before")
    }
    async let first = look(host, .version6)
    async let second = look(host, .version4)
    let answers = [await first, await second]
    noteReached(answers, askedIn: network)
    let found = answers.compactMap { try? $0.get() }
    let addresses = Self.inTurn(found.map { $0.addresses.filter(isAllowed) })
    // One kind of addresses is enough; that there is none must be said of both.
    if addresses.isEmpty, found.count < answers.count {
      if case .stale(let addresses) = known { return addresses }
      for case .failure(let error) in answers {
        if case .cancelled = error.kind {} else { onFault(error) }
        throw error
      }
    }
    let names = Self.commonNames(found.filter { !$0.addresses.isEmpty }.map(\.names))
    let result = HostAddresses(targets: addresses.map { ConnectTarget(address: "\($0)") }, names: names)
    let timeToLive = addresses.isEmpty ? nil : found.compactMap(\.timeToLive).min()
    cache.withLock {
      $0.store(result, for: host, timeToLive: timeToLive, askedIn: network, at: time.now())
    }
    return result
  }

  /// Forgets all answers, because another network may have others.
  public func networkDidChange() {
    cache.withLock { $0.networkDidChange() }
    let waiters = services.withLock { $0.networkDidChange() }
    for waiter in waiters { waiter.finish() }
  }

  /// Returns the names that have led to both kinds of addresses; servers may alias them differently.
  private static func commonNames(_ lists: [[[UInt8]]]) -> [[UInt8]] {
    guard let first = lists.first else { return [] }
    return first.filter { name in lists.allSatisfy { $0.contains(name) } }
  }

  private func noteReached(
    _ answers: [Result<NameMessage.Answer, NetworkError>], askedIn network: UInt64
  ) {
    let errors = answers.compactMap { answer in
      if case .failure(let error) = answer { error } else { nil }
    }
    // A cancelled look-up tells nothing, and a response that is no answer may be that of one name.
    let isReached = errors.count < answers.count || errors.contains { $0.underlying == nil }
    let isCancelled = errors.contains { if case .cancelled = $0.kind { true } else { false } }
    guard !isCancelled else { return }
    cache.withLock { $0.noteReached(isReached, askedIn: network, at: time.now()) }
  }

  private func isAllowed(_ address: IPAddress) -> Bool {
    address.specialRange.map(ranges.contains) ?? true
  }

  private static func inTurn(_ lists: [[IPAddress]]) -> [IPAddress] {
    let length = lists.map(\.count).max() ?? 0
    let all = (0..<length).flatMap { index in lists.compactMap { index < $0.count ? $0[index] : nil } }
    return Array(all.prefix(AddressTable.addressLimit))
  }

  // MARK: One look-up

  private func look(
    _ host: String, _ type: NameMessage.RecordType
  ) async -> Result<NameMessage.Answer, NetworkError> {
    do throws(NetworkError) {
      guard let query = NameMessage.query(host, type) else {
        throw failure("\(host.prefix(64)) is no name of DNS")
      }
      let message = try await response(to: try request(query))
      do throws(NameMessage.Fault) {
        return .success(try NameMessage.answer(message, for: host, type))
      } catch {
        throw failure(error.description)
      }
    } catch {
      return .failure(error)
    }
  }

  /// Returns the content of a response; an error has an underlying one if the server could not be reached.
  private func response(to request: Request) async throws(NetworkError) -> [UInt8] {
    let response: Response
    let content: [UInt8]
    do throws(NetworkError) {
      response = try await dispatcher.dispatch(request)
      content = try await response.body.collect(upTo: Self.maximumLength)
    } catch {
      if case .cancelled = error.kind { throw error }
      throw failure(error.reason, error)
    }
    let mediaType = response.head.headerFields.mediaType.map(MediaTypeSyntax.essence)
    guard response.status == .ok, mediaType == "application/dns-message" else {
      throw failure("its response has the status \(response.status.code), or is no message of DNS")
    }
    return content
  }

  private func request(_ query: [UInt8]) throws(NetworkError) -> Request {
    let text = Base64.encode(query).replacing("+", with: "-").replacing("/", with: "_").prefix { $0 != "=" }
    var request = try Request("\(url)\(url.contains("?") ? "&" : "?")dns=\(text)")
    request.head.headerFields[.accept] = "application/dns-message"
    request.options.timeouts.call = limit
    request.options.delivery = .buffered(upTo: Self.maximumLength)
    return request
  }

  // MARK: HTTPS records

  /// Asks for the records of an origin, unless they are known, are being asked for, or can't be.
  private func ask(for name: ServiceName) {
    let now = time.now()
    guard name.host != ownHost, !cache.withLock({ $0.isPaused(at: now) }),
      let number = services.withLock({ $0.begin(name, at: now) })
    else { return }
    // A question outlasts the request that has asked it, which waits for a part of it only, and serves the
    // next ones.
    Task {
      let (service, timeToLive) = (try? await findService(name)) ?? (.empty, nil)
      let waiters = services.withLock {
        $0.end(name, number, service, timeToLive: timeToLive, at: time.now())
      }
      for waiter in waiters { waiter.finish() }
    }
  }

  /// Waits until a question is answered, at most for as long as ``ServiceWait`` says.
  private func waitForService(_ name: ServiceName) async {
    let (answers, waiter) = AsyncStream.makeStream(of: Void.self)
    guard let limit = services.withLock({ $0.wait(for: name, waiter, at: time.now()) }) else { return }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for await _ in answers {} }
      group.addTask { [time] in try? await time.sleep(for: limit) }
      await group.next()
      group.cancelAll()
    }
  }

  /// Asks for the records of an origin, and for those of the names that they are aliases of.
  private func findService(_ name: ServiceName) async throws -> (HTTPService, timeToLive: Duration?) {
    guard var asked = name.queryName else { return (.empty, nil) }
    var timeToLive: Duration?
    for _ in 0...Self.maximumAliases {
      let message = try await response(to: try request(NameMessage.serviceQuery(asked)))
      let answer = try NameMessage.services(message, for: asked)
      timeToLive = [timeToLive, answer.timeToLive].compactMap(\.self).min()
      guard let alias = answer.alias else { return (answer.service, timeToLive) }
      asked = alias
    }
    return (.empty, timeToLive)
  }

  private func failure(_ reason: String, _ cause: NetworkError? = nil) -> NetworkError {
    NetworkError(
      .resolve, "The server of DNS over HTTPS gave no answer: \(reason); check its URL and the network.",
      underlying: cause)
  }
}
