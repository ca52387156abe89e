import Interception
import Testing

@testable import CurlTransport

@Suite("What is known of HTTP/3") struct AlternativeServicesTests {
  private let key = AlternativeServices.Key(
    partition: "", origin: WebOrigin(scheme: .https, host: "a.test", port: 443))

  private func services(_ use: HTTP3Use = .whenAdvertised) -> AlternativeServices {
    AlternativeServices(use: use, isSupported: true)
  }

  private func key(partition: String = "", host: String = "a.test", port: Int = 443)
    -> AlternativeServices.Key
  {
    .init(partition: partition, origin: WebOrigin(scheme: .https, host: host, port: port))
  }

  @Test("HTTP/3 is tried where the configuration, the library and the origin allow it")
  func defaults() {
    let known = "h3=\":443\""
    var off = services(.off)
    off.learn(known, for: key, at: .zero)
    #expect(off.choice(for: key, at: .zero) == .none(.off))
    #expect(off.count == 0)
    for use in [HTTP3Use.whenAdvertised, .first] {
      var lacking = AlternativeServices(use: use, isSupported: false)
      lacking.learn(known, for: key, at: .zero)
      #expect(lacking.choice(for: key, at: .zero) == .none(.unsupported))
      #expect(lacking.count == 0)
    }
    #expect(services().choice(for: key, at: .zero) == .none(.notAdvertised))
    #expect(services(.first).choice(for: key(port: 8443), at: .zero) == .attempt(port: 8443))
  }

  @Test(
    "L3: An advertisement of h3 at the origin's host counts until its age ends",
    arguments: [
      ("h3=\":443\"", HTTP3Choice.attempt(port: 443)), ("h3=\":8443\"", .attempt(port: 8443)),
      ("h2=\":443\", h3=\":8443\", h3=\":9\"", .attempt(port: 8443)), ("h3=\"A.test.:7\"", .attempt(port: 7)),
      ("h3=\"b.test:443\"", .none(.notAdvertised)), ("h3-29=\":443\"", .none(.notAdvertised)),
      ("h2=\":443\"", .none(.notAdvertised)), ("clear", .none(.notAdvertised)),
      ("h3=\":443\"; ma=0", .none(.notAdvertised)), ("h3=\":443\"; ma=5", .none(.notAdvertised)),
      ("h3=\":443\"; ma=6", .attempt(port: 443)), ("nonsense", .none(.notAdvertised)),
    ])
  func advertisement(field: String, choice: HTTP3Choice) {
    var services = services()
    services.learn(field, age: 5, for: key, at: .seconds(100))
    #expect(services.choice(for: key, at: .seconds(100)) == choice)
    if field.hasSuffix("ma=6") {
      #expect(services.choice(for: key, at: .seconds(101)) == .none(.notAdvertised))
    }
  }

  @Test("A later field replaces an earlier one, and a malformed one does not")
  func replacement() {
    var services = services()
    services.learn("h3=\":1\"", for: key, at: .zero)
    services.learn("h3=\":2", for: key, at: .zero)
    #expect(services.choice(for: key, at: .zero) == .attempt(port: 1))
    services.learn("h3=\":2\"", for: key, at: .zero)
    #expect(services.choice(for: key, at: .zero) == .attempt(port: 2))
    services.learn("clear", for: key, at: .zero)
    #expect(services.choice(for: key, at: .zero) == .none(.notAdvertised))
    #expect(services.count == 0)
  }

  @Test("L3: An advertisement counts for one partition, host and port, and until the network changes")
  func keys() {
    var services = services()
    services.learn("h3=\":1\"; persist=1", for: key, at: .zero)
    for other in [key(partition: "anna"), key(host: "b.test"), key(port: 8443)] {
      #expect(services.choice(for: other, at: .zero) == .none(.notAdvertised))
    }
    services.fail(for: key(partition: "anna"), at: .zero)
    #expect(services.choice(for: key, at: .zero) == .attempt(port: 1))
    services.removeAll()
    #expect(services.choice(for: key, at: .zero) == .none(.notAdvertised))
    #expect(services.count == 0)
  }

  @Test(
    "After a failure HTTP/3 rests for five minutes, and twice as long after each further one, up to two days")
  func pauses() {
    var services = services(.first)
    var now = Duration.zero
    var pause = 300
    for _ in 0..<70 {
      #expect(services.choice(for: key, at: now) == .attempt(port: 443))
      services.fail(for: key, at: now)
      // A request that was sent at the same time fails, too.
      services.fail(for: key, at: now + .seconds(1))
      let rest = Duration.seconds(pause - 1)
      #expect(services.choice(for: key, at: now + .seconds(1)) == .none(.broken(retryAfter: rest)))
      now += .seconds(pause)
      pause = min(pause * 2, 48 * 3600)
    }
  }

  @Test("A success ends the series of failures, and a change of network ends the rest")
  func recovery() {
    var services = services(.first)
    services.fail(for: key, at: .zero)
    services.fail(for: key, at: .seconds(300))
    services.succeed(for: key)
    services.fail(for: key, at: .seconds(900))
    #expect(services.choice(for: key, at: .seconds(900)) == .none(.broken(retryAfter: .seconds(300))))
    services.removeAll()
    #expect(services.choice(for: key, at: .seconds(900)) == .attempt(port: 443))
  }

  @Test("What a request over an earlier network tells is ignored")
  func earlierNetwork() {
    var services = services(.first)
    services.removeAll()
    services.learn("h3=\":1\"", for: key, at: .zero)
    services.fail(for: key, at: .zero)
    #expect(services.network == 1 && services.count == 0)
    var present = key
    present.network = 1
    #expect(services.choice(for: present, at: .zero) == .attempt(port: 443))
    services.fail(for: present, at: .zero)
    services.succeed(for: key)
    #expect(services.count == 1)
  }

  @Test("L3: An HTTPS record counts where nothing was advertised, and is not kept")
  func record() {
    var services = services()
    func choice(_ port: Int?, _ key: AlternativeServices.Key, at now: Duration = .zero) -> HTTP3Choice {
      services.choice(for: key, recordPort: port, at: now)
    }
    #expect(choice(nil, key) == .none(.notAdvertised))
    #expect(choice(443, key) == .attempt(port: 443) && choice(8443, key) == .attempt(port: 8443))
    #expect(choice(nil, key) == .none(.notAdvertised) && services.count == 0)
    // It belongs to no partition.
    #expect(choice(443, key(partition: "anna")) == .attempt(port: 443))
    services.learn("h3=\":7\"; ma=5", for: key, at: .zero)
    #expect(choice(443, key) == .attempt(port: 7))
    #expect(choice(443, key, at: .seconds(5)) == .attempt(port: 443))
    #expect(self.services(.off).choice(for: key, recordPort: 443, at: .zero) == .none(.off))
  }

  @Test("L3: After a failure the origin of an HTTPS record rests as one that has advertised HTTP/3")
  func failedRecord() {
    var services = services()
    services.fail(for: key, at: .zero)
    func choice(at now: Duration, _ key: AlternativeServices.Key) -> HTTP3Choice {
      services.choice(for: key, recordPort: 443, at: now)
    }
    #expect(choice(at: .seconds(1), key) == .none(.broken(retryAfter: .seconds(299))))
    #expect(choice(at: .seconds(1), key(partition: "anna")) == .attempt(port: 443))
    #expect(choice(at: .seconds(300), key) == .attempt(port: 443))
    services.removeAll()
    #expect(choice(at: .seconds(1), key) == .attempt(port: 443))
  }

  @Test("A failed alternative that is advertised again still rests")
  func advertisedAgain() {
    var services = services()
    services.learn("h3=\":443\"", for: key, at: .zero)
    services.fail(for: key, at: .zero)
    services.learn("h3=\":443\"", for: key, at: .seconds(1))
    #expect(services.choice(for: key, at: .seconds(1)) == .none(.broken(retryAfter: .seconds(299))))
  }

  @Test("At most a thousand advertisements and failures are kept, and those that end first are evicted")
  func bound() {
    var services = services()
    for number in 0..<1500 {
      let origin = key(host: "h\(number).test")
      services.learn("h3=\":1\"; ma=\(10_000 + number)", for: origin, at: .zero)
      services.fail(for: origin, at: .seconds(number))
    }
    #expect(services.count == 2 * AlternativeServices.capacity)
    #expect(services.choice(for: key(host: "h0.test"), at: .zero) == .none(.notAdvertised))
    #expect(services.choice(for: key(host: "h1499.test"), at: .seconds(2000)) == .attempt(port: 1))
  }

  // MARK: Families of addresses

  @Test(
    "After a race that TCP has won over IPv6, HTTP/3 is tried over IPv4 alone, and rests if that loses, too")
  func families() {
    var services = services(.first)
    // Two that were sent together.
    for _ in 0..<2 { services.loseRace(for: key, wasOverIPv4: false, isOverIPv6: true, at: .zero) }
    #expect(services.choice(for: key, at: .zero) == .attempt(port: 443, isOverIPv4: true))
    services.succeed(for: key)
    #expect(services.choice(for: key, at: .seconds(9)) == .attempt(port: 443, isOverIPv4: true))
    #expect(services.choice(for: key(host: "b.test"), at: .zero) == .attempt(port: 443))
    for _ in 0..<2 { services.loseRace(for: key, wasOverIPv4: true, isOverIPv6: false, at: .seconds(9)) }
    // One that was sent before.
    services.loseRace(for: key, wasOverIPv4: false, isOverIPv6: true, at: .seconds(9))
    #expect(services.choice(for: key, at: .seconds(9)) == .none(.broken(retryAfter: .seconds(300))))
    #expect(services.choice(for: key, at: .seconds(309)) == .attempt(port: 443))
  }

  @Test("A race that TCP has won over IPv4 lets HTTP/3 rest")
  func lostOverIPv4() {
    var services = services(.first)
    services.loseRace(for: key, wasOverIPv4: false, isOverIPv6: false, at: .zero)
    #expect(services.choice(for: key, at: .zero) == .none(.broken(retryAfter: .seconds(300))))
  }

  @Test(
    "L3: The families of addresses are forgotten with the network, and one over an earlier network tells nothing"
  )
  func familiesOfNetworks() {
    var services = services(.first)
    services.loseRace(for: key, wasOverIPv4: false, isOverIPv6: true, at: .zero)
    services.removeAll()
    #expect(services.count == 0)
    services.loseRace(for: key, wasOverIPv4: false, isOverIPv6: true, at: .zero)
    var current = key
    current.network = services.network
    #expect(services.choice(for: current, at: .zero) == .attempt(port: 443))
    #expect(services.count == 0)
  }

  @Test("The number of families that are kept is bounded")
  func boundedFamilies() {
    var services = services(.first)
    for number in 0..<1_500 {
      services.loseRace(for: key(host: "h\(number).test"), wasOverIPv4: false, isOverIPv6: true, at: .zero)
    }
    #expect(services.count == 1_500)
    #expect(
      services.choice(for: key(host: "h1499.test"), at: .zero) == .none(.broken(retryAfter: .seconds(300))))
  }

  // MARK: A file

  @Test("What a file had counts for its origin, partition and time, until a response tells otherwise")
  func stored() throws {
    let anna = try #require(StoredAlternatives.name(ofPartition: "anna"))
    func stored() -> AlternativeServices {
      var services = self.services()
      let service = AlternativeServices.Service(
        port: 8443, expiry: .seconds(100), storedExpiry: .seconds(100))
      services.keepStored([key.origin: ["-": service, anna: service]])
      return services
    }
    var services = stored()
    for known in [key, key(partition: "anna")] {
      #expect(services.choice(for: known, at: .seconds(99)) == .attempt(port: 8443))
      #expect(services.choice(for: known, at: .seconds(100)) == .none(.notAdvertised))
    }
    for other in [key(partition: "bert"), key(host: "b.test"), key(port: 8443)] {
      #expect(services.choice(for: other, at: .zero) == .none(.notAdvertised))
    }
    services.learn("clear", for: key, at: .zero)
    #expect(services.choice(for: key, at: .zero) == .none(.notAdvertised))
    #expect(services.choice(for: key(partition: "anna"), at: .zero) == .attempt(port: 8443))
    services.learn("h3=\":1\"", for: key(partition: "anna"), at: .zero)
    #expect(services.choice(for: key(partition: "anna"), at: .zero) == .attempt(port: 1))
    let changes = services.takeChanges()
    #expect(changes.map(\.key) == [key, key(partition: "anna")])
    #expect(changes.map { $0.service?.port } == [nil, 1])

    services = stored()
    services.remove(key)
    #expect(services.choice(for: key, at: .zero) == .none(.notAdvertised))
    #expect(services.takeChanges().map(\.key) == [key])
    services = stored()
    services.removeAll()
    #expect(services.count == 0 && services.takeChanges().isEmpty)
    #expect(services.choice(for: key, at: .zero) == .none(.notAdvertised))
  }

  @Test("A file follows a new service or port at once, and a time once it differs by an eighth")
  func changes() {
    var services = services()
    services.learn("h3=\":1\"; ma=800", for: key, at: .zero)
    #expect(services.takeChanges().isEmpty)
    services.keepStored([:])
    services.learn("h3=\":1\"; ma=800", for: key, at: .zero)
    #expect(services.takeChanges().map { $0.service?.lifetime } == [.seconds(800)])
    services.learn("h3=\":1\"; ma=800", for: key, at: .seconds(100))
    #expect(services.takeChanges().isEmpty)
    services.learn("h3=\":1\"; ma=800", for: key, at: .seconds(101))
    #expect(services.takeChanges().count == 1)
    services.learn("h3=\":2\"; ma=800", for: key, at: .seconds(102))
    services.learn("h3=\":2\"; ma=80", for: key, at: .seconds(103))
    #expect(services.takeChanges().map { $0.service?.port } == [2, 2])
    services.learn("clear", for: key, at: .seconds(104))
    services.learn("clear", for: key, at: .seconds(105))
    #expect(services.takeChanges().map { $0.service == nil } == [true])
  }

  // MARK: Throughput

  @Test("After throttled content HTTP/3 rests as after a failure, and responses alone do not end that")
  func throttling() {
    var services = services(.first)
    func note(_ seconds: Int, isOverHTTP3: Bool, at now: Duration) {
      services.note(
        .init(
          bytes: 1_000_000, allBytes: 1_000_000, time: .seconds(seconds), isComplete: true,
          wasPaused: false), isOverHTTP3: isOverHTTP3, for: key, at: now)
    }
    note(60, isOverHTTP3: true, at: .zero)
    #expect(services.choice(for: key, at: .zero) == .attempt(port: 443))
    note(1, isOverHTTP3: false, at: .zero)
    note(60, isOverHTTP3: true, at: .zero)
    #expect(services.choice(for: key, at: .zero) == .none(.throttled(retryAfter: .seconds(300))))
    // Transfers that were under way at that time.
    services.succeed(for: key)
    note(1, isOverHTTP3: true, at: .seconds(1))
    services.fail(for: key, at: .seconds(1))
    note(60, isOverHTTP3: true, at: .seconds(1))
    #expect(
      services.choice(for: key, at: .seconds(1)) == .none(.throttled(retryAfter: .seconds(299))))
    #expect(services.choice(for: key, at: .seconds(300)) == .attempt(port: 443))
    services.succeed(for: key)
    note(60, isOverHTTP3: true, at: .seconds(300))
    #expect(
      services.choice(for: key, at: .seconds(300)) == .none(.throttled(retryAfter: .seconds(600))))
    // Fast content ends the series.
    note(1, isOverHTTP3: true, at: .seconds(900))
    services.fail(for: key, at: .seconds(900))
    #expect(services.choice(for: key, at: .seconds(900)) == .none(.broken(retryAfter: .seconds(300))))
    services.removeAll()
    note(60, isOverHTTP3: true, at: .seconds(900))
    #expect(services.count == 0)
  }

  @Test("What content over an earlier network shows is ignored")
  func earlierThroughput() {
    var services = services(.first)
    services.removeAll()
    for isOverHTTP3 in [false, true] {
      services.note(
        .init(
          bytes: 1_000_000, allBytes: 1_000_000, time: .seconds(isOverHTTP3 ? 60 : 1), isComplete: true,
          wasPaused: false), isOverHTTP3: isOverHTTP3, for: key, at: .zero)
    }
    var present = key
    present.network = 1
    #expect(services.choice(for: present, at: .zero) == .attempt(port: 443))
  }
}
