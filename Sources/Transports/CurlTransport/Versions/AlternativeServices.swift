import HTTPTypes
import Interception

/// What origins have advertised by `Alt-Svc`, and where HTTP/3 has failed; decides which requests try HTTP/3.
///
/// It has no clock and does no I/O. Each event loop has one, which is forgotten when the network changes. An
/// advertisement counts for the partition whose request received it only, so that a server cannot recognize a
/// user of another partition by the port that it has advertised.
struct AlternativeServices {
  /// What advertisements and failures are kept for.
  struct Key: Hashable {
    let partition: String
    let origin: WebOrigin
    /// The number of the network over which the request was sent: what one over an earlier network tells is
    /// ignored.
    var network = 0
  }

  struct Service: Hashable {
    let port: Int
    let expiry: Duration
    /// The expiry that the file has of it; nil if the file does not have it.
    var storedExpiry: Duration?
  }

  /// What a file had, by origins and the names of partitions in it.
  typealias Stored = [WebOrigin: [String: Service]]

  /// A change that a file has to have; the service is nil if it was removed.
  struct Change {
    let key: Key
    let service: (port: Int, lifetime: Duration)?
  }

  private struct Failure {
    var count = 0
    /// The time at which HTTP/3 may be tried again.
    var end: Duration = .zero
    /// Whether it was far slower than TCP.
    var isThrottled = false

    func reason(at now: Duration) -> TransportReport.HTTP3Outcome {
      isThrottled ? .throttled(retryAfter: end - now) : .broken(retryAfter: end - now)
    }
  }

  /// The maximum number of advertisements, and of failures.
  static let capacity = 1_000
  /// How long HTTP/3 is not tried after the first failure; each further one doubles it.
  static let firstPause = Duration.seconds(300)
  static let maximumPause = Duration.seconds(48 * 3_600)
  /// The connect limit of an attempt at another port than the origin's, or over IPv4 alone, in milliseconds.
  ///
  /// libcurl races it by TCP at the same port and address, where nothing may listen, so the origin's own port
  /// and all of its addresses are tried after it.
  static let detourMilliseconds = 1_000
  /// The maximum age of an advertisement, whatever the server says.
  static let maximumAge = 30 * 86_400

  private let use: HTTP3Use
  private let isSupported: Bool
  /// Whether requests with content are among those that try HTTP/3.
  private let sendsContent: Bool
  private var services: [Key: Service] = [:]
  private var failures: [Key: Failure] = [:]
  /// What HTTP/3 is tried for over IPv4 alone, because TCP was first over IPv6.
  private var overIPv4: Set<Key> = []
  private var throughput = ThroughputComparison()
  /// What a file had of keys for which no response has told since.
  private var stored: Stored = [:]
  /// What the file has to have; nil without a file.
  private var changes: [Change]?
  /// How often the network has changed.
  private(set) var network = 0

  init(use: HTTP3Use, isSupported: Bool, sendsContent: Bool = false) {
    self.use = use
    self.isSupported = isSupported
    self.sendsContent = sendsContent
  }

  /// The number of advertisements and failures that are kept.
  var count: Int {
    services.count + failures.count + overIPv4.count + stored.values.reduce(0) { $0 + $1.count }
  }

  private var isOn: Bool { isSupported && use != .off }

  // MARK: Decisions

  /// Decides for an https request whether it tries HTTP/3.
  func choice(for key: Key, at now: Duration) -> HTTP3Choice {
    guard use != .off else { return .none(.off) }
    guard isSupported else { return .none(.unsupported) }
    let service = service(for: key).flatMap { $0.expiry > now ? $0 : nil }
    guard let port = service?.port ?? (use == .first ? key.origin.port : nil) else {
      return .none(.notAdvertised)
    }
    return attempt(at: port, for: key, at: now)
  }

  /// Decides for a request whose origin has an HTTPS record with HTTP/3, which counts if no response has
  /// advertised it.
  ///
  /// The record is not kept: it comes with each request for as long as it is valid.
  func choice(for key: Key, recordPort: Int?, at now: Duration) -> HTTP3Choice {
    let choice = choice(for: key, at: now)
    guard choice == .none(.notAdvertised), let recordPort else { return choice }
    return attempt(at: recordPort, for: key, at: now)
  }

  private func attempt(at port: Int, for key: Key, at now: Duration) -> HTTP3Choice {
    if let failure = failures[key], failure.end > now {
      return .none(failure.reason(at: now))
    }
    return .attempt(port: port, isOverIPv4: overIPv4.contains(key))
  }

  /// Returns what the origin has advertised, in this process or before.
  private func service(for key: Key) -> Service? {
    if let service = services[key] { return service }
    // The digest of the partition is computed for origins only that the file has.
    guard let known = stored[key.origin] else { return nil }
    return StoredAlternatives.name(ofPartition: key.partition).flatMap { known[$0] }
  }

  // MARK: Events

  /// Records the `Alt-Svc` fields of a response, which replace the origin's earlier ones.
  ///
  /// - Parameters:
  ///   - field: The value of all fields, joined by commas.
  ///   - age: The response's age in seconds, which counts against the advertised time.
  mutating func learn(_ field: String, age: Int = 0, for key: Key, at now: Duration) {
    guard isOn, key.network == network, let content = AlternativeServiceField(field) else { return }
    let host = AuthoritySyntax.comparable(host: key.origin.host)
    let alternative = content.alternatives.first {
      $0.protocolName == "h3" && ($0.host.isEmpty || AuthoritySyntax.comparable(host: $0.host) == host)
    }
    guard let alternative, alternative.maximumAge > age else { return remove(key) }
    let former = takeStored(key) ?? services[key]
    if services[key] == nil, services.count >= Self.capacity {
      services.min { $0.value.expiry < $1.value.expiry }.map { services[$0.key] = nil }
    }
    let lifetime = Duration.seconds(min(alternative.maximumAge - age, Self.maximumAge))
    var service = Service(
      port: alternative.port, expiry: now + lifetime, storedExpiry: former?.storedExpiry)
    if changes != nil, Self.mustStore(service, insteadOf: former, lifetime) {
      service.storedExpiry = service.expiry
      changes?.append(Change(key: key, service: (service.port, lifetime)))
    }
    services[key] = service
  }

  /// Records that HTTP/3 carried a response.
  mutating func succeed(for key: Key) {
    // Almost always there is no failure, and nothing to look up.
    if !failures.isEmpty, failures[key]?.isThrottled == false { failures[key] = nil }
  }

  /// Records that HTTP/3 was tried without success.
  ///
  /// Transfers that were sent together count as one.
  mutating func fail(for key: Key, at now: Duration) { rest(for: key, at: now) }

  private mutating func rest(for key: Key, isThrottled: Bool = false, at now: Duration) {
    var failure = failures[key] ?? Failure()
    guard key.network == network, failure.end <= now else { return }
    if failures[key] == nil, failures.count >= Self.capacity {
      failures.min { $0.value.end < $1.value.end }.map { failures[$0.key] = nil }
    }
    failure.end = now + min(Self.firstPause * (1 << min(failure.count, 20)), Self.maximumPause)
    failure.count += 1
    failure.isThrottled = isThrottled
    failures[key] = failure
    overIPv4.remove(key)
  }

  /// Records that a connection over TCP was ready first.
  ///
  /// If the host has addresses of both families, libcurl tries QUIC over IPv4 later than TCP. A network that
  /// drops UDP over IPv6 would leave HTTP/3 no chance, so the next requests try it over IPv4 alone, before it
  /// rests.
  ///
  /// - Parameters:
  ///   - wasOverIPv4: Whether only IPv4 was tried.
  ///   - isOverIPv6: Whether the connection over TCP is one of IPv6, to a host that may have addresses of
  ///     IPv4, too.
  mutating func loseRace(for key: Key, wasOverIPv4: Bool, isOverIPv6: Bool, at now: Duration) {
    guard !wasOverIPv4 else { return fail(for: key, at: now) }
    // One that was sent before the first of them has lost.
    guard !overIPv4.contains(key) else { return }
    guard isOverIPv6, overIPv4.count < Self.capacity else { return fail(for: key, at: now) }
    if key.network == network, failures[key].map({ $0.end <= now }) ?? true { overIPv4.insert(key) }
  }

  /// Forgets the alternative of an origin whose server has responded that it does not serve the origin.
  mutating func remove(_ key: Key) {
    let former = takeStored(key) ?? services[key]
    services[key] = nil
    if former?.storedExpiry != nil { changes?.append(Change(key: key, service: nil)) }
  }

  /// Forgets everything, because the network has changed.
  mutating func removeAll() {
    services = [:]
    failures = [:]
    overIPv4 = []
    throughput = ThroughputComparison()
    stored = [:]
    if changes != nil { changes = [] }
    network += 1
  }
}

extension AlternativeServices {
  // MARK: A file

  /// Takes over what a file has, and records what it has to have from now on.
  mutating func keepStored(_ stored: Stored) {
    self.stored = stored
    changes = []
  }

  /// Returns what the file has to have since the latest call.
  mutating func takeChanges() -> [Change] {
    guard let changes, !changes.isEmpty else { return [] }
    self.changes = []
    return changes
  }

  /// Removes what a file had of a key, for which a response has told.
  private mutating func takeStored(_ key: Key) -> Service? {
    guard !stored.isEmpty, stored[key.origin] != nil,
      let name = StoredAlternatives.name(ofPartition: key.partition)
    else { return nil }
    defer { if stored[key.origin]?.isEmpty == true { stored[key.origin] = nil } }
    return stored[key.origin]?.removeValue(forKey: name)
  }

  /// Whether a file must have a service that it has in another form, or not at all.
  ///
  /// Each response extends the time. The file follows once that makes an eighth of it.
  private static func mustStore(
    _ service: Service, insteadOf former: Service?, _ lifetime: Duration
  ) -> Bool {
    guard let former, former.port == service.port, let storedExpiry = former.storedExpiry else { return true }
    let difference = service.expiry - storedExpiry
    return max(difference, .zero - difference) > lifetime / 8
  }

  // MARK: Throughput

  /// Records how fast the content of a response came, or comes.
  mutating func note(_ sample: ThroughputComparison.Sample, isOverHTTP3: Bool, for key: Key, at now: Duration)
  {
    guard isOn, key.network == network else { return }
    guard isOverHTTP3 else { return throughput.noteTCP(sample, for: key, at: now) }
    switch throughput.noteHTTP3(sample, for: key) {
    case .unknown: break
    // What was under way when the rest began does not end it.
    case .sufficient:
      if let failure = failures[key], failure.isThrottled, failure.end <= now { failures[key] = nil }
    case .throttled: rest(for: key, isThrottled: true, at: now)
    }
  }

  /// Whether it is of use to measure how fast content of this length comes.
  func measures(_ plan: RequestPlan, length: Int64) -> Bool {
    length >= ThroughputComparison.minimumLength && isOn && plan.origin.scheme == .https
      && plan.http3Obstacle != .proxied
  }
}

extension AlternativeServices {
  /// Decides for a plan; requests without TLS have no reason.
  func choice(for plan: RequestPlan, _ isolation: UploadIsolation, at now: Duration) -> HTTP3Choice {
    guard plan.origin.scheme == .https else { return .none(nil) }
    guard isOn else { return .none(isSupported ? .off : .unsupported) }
    if let obstacle = plan.http3Obstacle { return .none(obstacle) }
    guard sendsContent || !EndedUpload.rulesOutHTTP3(for: plan) else { return .none(.unsuitable) }
    // libcurl's isolation from other transfers is one of HTTP/2.
    guard isolation == .none else { return .none(.unsuitable) }
    let choice = choice(for: Key(plan, network: network), recordPort: plan.http3RecordPort, at: now)
    // The caller has chosen the port with the address, and a race is one of addresses.
    if case .attempt(let port, _) = choice, plan.hasChosenAddress {
      return port == plan.origin.port ? .attempt(port: port) : .none(.unsuitable)
    }
    return choice
  }

  /// Records what the head of a final response says of HTTP/3.
  ///
  /// - Parameter isOverIPv6: Whether the connection is one of IPv6; asked only if HTTP/3 has lost a race.
  mutating func note(
    _ head: HTTPResponse, _ parser: HeadParser, of plan: RequestPlan, _ choice: HTTP3Choice, network: Int,
    isOverIPv6: @autoclosure () -> Bool, at now: Duration
  ) {
    guard isOn, plan.origin.scheme == .https else { return }
    let key = Key(plan, network: network)
    if case .attempt(_, let isOverIPv4) = choice {
      if parser.version != .http3 {
        loseRace(
          for: key, wasOverIPv4: isOverIPv4,
          isOverIPv6: !plan.hasChosenAddress && !plan.origin.host.contains(":") && isOverIPv6(), at: now)
      } else if parser.statusCode == 421 {
        remove(key)
        // A record, another advertisement or `HTTP3Use.first` would lead the next request to the same server.
        fail(for: key, at: now)
      } else {
        succeed(for: key)
      }
    }
    guard parser.hasAlternatives, parser.statusCode != 421, plan.http3Obstacle != .proxied,
      let name = HTTPField.Name.altSvc
    else { return }
    let values = head.headerFields[values: name].joined(separator: ", ")
    learn(values, age: head.headerFields[.age].flatMap { Int($0) } ?? 0, for: key, at: now)
  }
}

extension RequestPlan {
  /// Whether the caller has chosen the address that it connects to.
  fileprivate var hasChosenAddress: Bool { exchange.connectTo != nil || raceEntry != nil }
}

extension AlternativeServices.Key {
  init(_ plan: RequestPlan, network: Int) {
    self.init(partition: plan.partition, origin: plan.origin, network: network)
  }
}

extension HTTPField.Name {
  /// `Alt-Svc` (RFC 7838, section 3).
  static let altSvc = HTTPField.Name("Alt-Svc")
}
