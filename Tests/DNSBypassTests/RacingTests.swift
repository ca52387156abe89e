import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import DNSBypass

/// The race of a request's addresses, over a dispatcher that connects as a script says.
@Suite(.timeLimit(.minutes(5)))
struct RacingTests {
  /// What happens to a connection.
  private enum Fate: Sendable {
    case connects
    /// Connects when the test says so.
    case hangs
    case fails(NetworkError.Kind)
    /// Waits in the dispatcher's queue.
    case queued
    /// The dispatcher sends it through a proxy.
    case proxied
  }

  private struct Fixture {
    let clock = TestClock()
    let fates: WaitableValue<[String: Fate]>
    let server: ScriptedDispatcher
    let bypass: DNSBypassInterceptor
    let chain: any Dispatcher
    /// The targets of the requests whose connections may be made, "system" being that of the system's DNS.
    let opened = WaitableValue<Set<String>>([])
    /// The targets that requests were sent to.
    let sent = WaitableValue<[String]>([])
    let started = WaitableValue<[String]>([])
    let ended = WaitableValue<[String]>([])

    init(
      _ hosts: [String] = ["203.0.114.1", "203.0.114.2", "203.0.114.3"], prober: AddressProber? = nil,
      fates: [String: Fate]
    ) throws {
      let fates = WaitableValue(fates)
      self.fates = fates
      let (opened, sent, started, ended) = (opened, sent, started, ended)
      server = ScriptedDispatcher(capabilities: [.connectTarget, .connectRacing]) {
        request, _ throws(NetworkError) in
        let name = request.connectTarget?.description ?? "system"
        let fate = fates.value[name] ?? .connects
        if case .proxied = fate { request.raceEntry?.race.standAside() }
        // Before `started`, which tests wait for: a delay that ends before it starts no further attempt.
        if case .queued = fate {} else { request.raceEntry?.race.noteConnecting() }
        started.update { $0.append(name) }
        defer { ended.update { $0.append(name) } }
        switch fate {
        case .connects: break
        case .fails(let kind): throw NetworkError(kind, "No connection to \(name).")
        case .hangs, .queued, .proxied:
          guard (try? await opened.wait { $0.contains(name) }) != nil else {
            throw NetworkError(.cancelled(.task), "Cancelled.")
          }
        }
        if let entry = request.raceEntry, !entry.claim() {
          throw NetworkError(.cancelled(.task), "Overtaken.", underlying: ConnectRace.Overtaken())
        }
        sent.update { $0.append(name) }
        return Response(
          HTTPResponse(status: .ok),
          exchange: Exchange(
            transport: TransportReport(phases: .init(connect: .milliseconds(20)), connectionWasReused: false))
        )
      }
      bypass = DNSBypassInterceptor(
        try AddressTable(["estate.example": hosts]), prober: prober, time: TimeSource(clock))
      chain = server.intercepted(by: bypass)
    }

    func post(_ change: (inout Request) -> Void = { _ in }) async throws(NetworkError) -> Response {
      var request = Request(method: .post, authority: "estate.example", path: "/")
      change(&request)
      return try await chain.dispatch(request)
    }

    /// Waits until the first attempt has started, and `sleepers` tasks wait for time.
    func begin(sleepers: Int = 1) async throws {
      _ = try await started.wait { !$0.isEmpty }
      try await clock.waitForSleepers(sleepers)
    }

    func passDelay(_ delay: Duration = .milliseconds(250), sleepers: Int) async throws {
      try await begin(sleepers: sleepers)
      clock.advance(by: delay)
    }
  }

  @Test("A silent address is joined by the next one after 250 ms, and the request is sent once")
  func silentFirst() async throws {
    let fixture = try Fixture(fates: ["203.0.114.1": .hangs])
    async let response = fixture.post()
    try await fixture.begin()
    fixture.clock.advance(by: .milliseconds(249))
    #expect(fixture.started.value == ["203.0.114.1"])
    fixture.clock.advance(by: .milliseconds(1))
    #expect(try await response.status == .ok)
    #expect(fixture.started.value == ["203.0.114.1", "203.0.114.2"])
    #expect(fixture.sent.value == ["203.0.114.2"])
    // The silent one was cancelled, and is not tried first again.
    #expect(fixture.ended.value.sorted() == ["203.0.114.1", "203.0.114.2"])
    #expect(fixture.bypass.statuses(of: "estate.example").map(\.failures) == [1, 0, 0])
    _ = try await fixture.post()
    #expect(fixture.sent.value == ["203.0.114.2", "203.0.114.2"])
  }

  @Test("A slow first address that is connected first sends the request, and the later one does not")
  func slowFirst() async throws {
    let fixture = try Fixture(fates: ["203.0.114.1": .hangs, "203.0.114.2": .hangs])
    async let response = fixture.post()
    try await fixture.passDelay(sleepers: 1)
    _ = try await fixture.started.wait { $0.count == 2 }
    fixture.opened.update { $0 = ["203.0.114.1"] }
    #expect(try await response.status == .ok)
    #expect(fixture.sent.value == ["203.0.114.1"])
    #expect(fixture.bypass.statuses(of: "estate.example").map(\.failures) == [0, 0, 0])
  }

  @Test(
    "An address that was reached recently is used alone, within the delay; if it is dead, the others race")
  func died() async throws {
    let fixture = try Fixture(fates: [:])
    for _ in 1...2 { _ = try await fixture.post() }
    let requests = fixture.server.requests
    #expect(requests.map { $0.raceEntry != nil } == [true, false])
    #expect(requests.map(\.options.timeouts.connect) == [.seconds(10), .milliseconds(250)])
    fixture.fates.update { $0 = ["203.0.114.1": .fails(.timeout(.connect)), "203.0.114.2": .hangs] }
    async let response = fixture.post()
    try await fixture.passDelay(sleepers: 1)
    #expect(try await response.status == .ok)
    #expect(fixture.started.value.suffix(3) == ["203.0.114.1", "203.0.114.2", "203.0.114.3"])
    #expect(fixture.sent.value == ["203.0.114.1", "203.0.114.1", "203.0.114.3"])
    // A minute later the address counts as unknown again.
    fixture.clock.advance(by: .seconds(61))
    fixture.fates.update { $0 = [:] }
    _ = try await fixture.post()
    #expect(fixture.server.requests.last?.raceEntry != nil)
  }

  @Test("An address that was silent is tried again as the last one, because it may only be slow")
  func slowAgain() async throws {
    let fixture = try Fixture(fates: [:])
    _ = try await fixture.post()
    fixture.fates.update {
      $0 = [
        "203.0.114.1": .fails(.timeout(.connect)), "203.0.114.2": .fails(.connect),
        "203.0.114.3": .fails(.connect),
      ]
    }
    _ = try await fixture.post()
    #expect(
      fixture.started.value.dropFirst()
        == ["203.0.114.1", "203.0.114.2", "203.0.114.3", "203.0.114.1", "system"])
  }

  @Test("A body that can be read once takes part in a race even if the address was reached recently")
  func onceBody() async throws {
    let fixture = try Fixture(fates: [:])
    for _ in 1...2 {
      let body = RequestBody.once(length: 1, ScriptedByteSource([[1]]))
      _ = try await fixture.chain.dispatch(
        Request(method: .post, authority: "estate.example", path: "/", body: body))
    }
    #expect(fixture.server.requests.map { $0.raceEntry != nil } == [true, true])
  }

  @Test("After a refusal the next address starts at once, and the system's DNS when all have failed")
  func refused() async throws {
    let fixture = try Fixture(fates: [
      "203.0.114.1": .fails(.connect), "203.0.114.2": .fails(.tls(.nameMismatch)),
      "203.0.114.3": .fails(.timeout(.connect)),
    ])
    #expect(try await fixture.post().status == .ok)
    #expect(fixture.started.value == ["203.0.114.1", "203.0.114.2", "203.0.114.3", "system"])
    #expect(fixture.sent.value == ["system"])
  }

  @Test("While the request waits in the dispatcher's queue, no other address is tried")
  func queued() async throws {
    let fixture = try Fixture(fates: ["203.0.114.1": .queued])
    async let response = fixture.post()
    for _ in 1...3 { try await fixture.passDelay(sleepers: 1) }
    try await fixture.clock.waitForSleepers()
    #expect(fixture.started.value == ["203.0.114.1"])
    fixture.opened.update { $0 = ["203.0.114.1"] }
    #expect(try await response.status == .ok)
  }

  @Test("Behind a proxy the request is sent once, nothing is learnt from it, and no address is probed")
  func proxied() async throws {
    let probed = WaitableValue<[String]>([])
    let prober = AddressProber { target in
      probed.update { $0.append(target.address) }
      return .milliseconds(1)
    }
    let fixture = try Fixture(prober: prober, fates: ["203.0.114.1": .proxied])
    async let response = fixture.post()
    try await fixture.passDelay(sleepers: 1)
    fixture.opened.update { $0 = ["203.0.114.1"] }
    #expect(try await response.status == .ok)
    #expect(fixture.started.value == ["203.0.114.1"])
    #expect(fixture.bypass.statuses(of: "estate.example").map(\.connectTime) == [nil, nil, nil])
    fixture.bypass.networkDidChange()
    fixture.bypass.probeAll()
    // A probe that had been started would be the first one.
    fixture.fates.update { $0 = [:] }
    let direct = try Fixture(["203.0.114.7", "203.0.114.8"], prober: prober, fates: [:])
    _ = try await direct.post()
    _ = try await probed.wait { $0.count >= 2 }
    #expect(Set(probed.value) == ["203.0.114.7", "203.0.114.8"])
    // Without the proxy the addresses are probed.
    _ = try await fixture.post()
    _ = try await probed.wait { $0.count >= 5 }
  }

  @Test("The time limits of later attempts end with those of the first one")
  func limits() async throws {
    let fixture = try Fixture(fates: ["203.0.114.1": .hangs, "203.0.114.2": .hangs])
    async let response = fixture.post { $0.options.timeouts.whole = .seconds(20) }
    try await fixture.passDelay(sleepers: 1)
    _ = try await fixture.started.wait { $0.count == 2 }
    try await fixture.passDelay(sleepers: 1)
    _ = try await response
    let timeouts = fixture.server.requests.map(\.options.timeouts)
    #expect(timeouts.map(\.connect) == [.seconds(10), .milliseconds(9_750), .milliseconds(9_500)])
    #expect(timeouts.map(\.whole) == [.seconds(20), .milliseconds(19_750), .milliseconds(19_500)])
  }

  @Test("An error that is not about the connection ends the request once no other attempt can succeed")
  func fatal() async throws {
    let fixture = try Fixture(fates: ["203.0.114.1": .hangs, "203.0.114.2": .fails(.descriptorsExhausted)])
    async let response = fixture.post()
    try await fixture.passDelay(sleepers: 1)
    _ = try await fixture.ended.wait { $0 == ["203.0.114.2"] }
    fixture.opened.update { $0 = ["203.0.114.1"] }
    #expect(try await response.status == .ok)
    #expect(fixture.sent.value == ["203.0.114.1"])

    let alone = try Fixture(fates: ["203.0.114.1": .fails(.descriptorsExhausted)])
    let error = await #expect(throws: NetworkError.self) { try await alone.post() }
    #expect(error?.kind == .descriptorsExhausted)
    #expect(alone.started.value == ["203.0.114.1"])
  }

  @Test("Cancelling the caller ends every attempt")
  func cancelled() async throws {
    let fixture = try Fixture(fates: ["203.0.114.1": .hangs, "203.0.114.2": .hangs, "203.0.114.3": .hangs])
    let task = Task { try await fixture.post() }
    try await fixture.passDelay(sleepers: 1)
    _ = try await fixture.started.wait { $0.count == 2 }
    task.cancel()
    let error = await #expect(throws: NetworkError.self) { try await task.value }
    #expect(error?.kind == .cancelled(.task))
    #expect(fixture.ended.value.sorted() == ["203.0.114.1", "203.0.114.2"])
    #expect(fixture.bypass.statuses(of: "estate.example").map(\.failures) == [0, 0, 0])
  }

  @Test("If every address is silent, the error lists each one with its cause, and none is blamed")
  func everythingFails() async throws {
    let fixture = try Fixture(fates: [
      "203.0.114.1": .fails(.connect), "203.0.114.2": .fails(.timeout(.connect)),
      "203.0.114.3": .fails(.connect), "system": .fails(.resolve),
    ])
    let error = try #require(await #expect(throws: NetworkError.self) { try await fixture.post() })
    #expect(error.kind == .connect)
    let failure = try #require(error.underlying(as: BypassError.self))
    #expect(
      failure.attempts.map { $0.target?.address } == ["203.0.114.1", "203.0.114.2", "203.0.114.3", nil])
    #expect(failure.attempts.map { $0.error?.kind } == [.connect, .timeout(.connect), .connect, .resolve])
    #expect(fixture.bypass.statuses(of: "estate.example").map(\.failures) == [0, 0, 0])
  }
}
