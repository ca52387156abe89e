import HTTPTypes
import Interception
import LoopbackServing
import SwitchyardTesting
import Synchronization
import Testing

@testable import DNSBypass

@Suite(.timeLimit(.minutes(5)))
struct ProbingTests {
  private static let hosts = ["estate.example": ["203.0.114.1", "203.0.114.2"]]

  /// A prober whose results a test sets, and which counts its connections.
  private final class Probes: Sendable {
    struct State: Sendable {
      var times: [String: Duration] = [:]
      var probed: [ConnectTarget] = []
      var running = 0
      var maximum = 0
      var isOpen = true
    }

    let state = WaitableValue(State())

    init(_ times: [String: Int] = [:]) {
      state.update { $0.times = times.mapValues { .milliseconds($0) } }
    }

    var prober: AddressProber {
      AddressProber { [state] target in
        state.update {
          $0.probed.append(target)
          $0.running += 1
          $0.maximum = max($0.maximum, $0.running)
        }
        defer { state.update { $0.running -= 1 } }
        try await state.wait { $0.isOpen }
        guard let time = state.value.times[target.address] else { throw SocketProbe.Failure() }
        return time
      }
    }

    func wait(for count: Int) async throws {
      try await state.wait { $0.probed.count >= count && $0.running == 0 }
    }
  }

  private func settled(
    _ bypass: DNSBypassInterceptor, _ condition: ([AddressStatus]) -> Bool
  ) async throws -> [AddressStatus] {
    var statuses: [AddressStatus] = []
    // The results of a probe are recorded after the last connection has ended, without an event for a test.
    try await waitUntil("the results are recorded") {
      statuses = bypass.statuses(of: "estate.example")
      return condition(statuses)
    }
    return statuses
  }

  private static func server(_ connectTime: Int) -> ScriptedDispatcher {
    ScriptedDispatcher { _, _ throws(NetworkError) in
      Response(
        HTTPResponse(status: .ok),
        exchange: Exchange(
          transport: TransportReport(
            phases: .init(connect: .milliseconds(connectTime)), connectionWasReused: false)))
    }
  }

  private static let request = Request(authority: "estate.example", path: "/")

  @Test("A host's first use has its addresses probed, and the fastest is used while the current one works")
  func fastest() async throws {
    let probes = Probes(["203.0.114.1": 80, "203.0.114.2": 10])
    let server = Self.server(80)
    let bypass = DNSBypassInterceptor(
      try AddressTable(Self.hosts), prober: probes.prober, time: TimeSource(TestClock()))
    // The results come after the first request was sent.
    probes.state.update { $0.isOpen = false }
    _ = try await bypass.intercept(Self.request, next: server)
    probes.state.update { $0.isOpen = true }
    let statuses = try await settled(bypass) { $0.allSatisfy { $0.connectTime != nil } && $0.count == 2 }
    #expect(statuses.last?.connectTime == .milliseconds(10))
    _ = try await bypass.intercept(Self.request, next: server)
    #expect(server.requests.map(\.connectTarget?.address) == ["203.0.114.1", "203.0.114.2"])
    #expect(Set(probes.state.value.probed.map(\.port)) == [443])
  }

  @Test("A host in use is probed every 5 min, an unused one not at all")
  func interval() async throws {
    let probes = Probes(["203.0.114.1": 10, "203.0.114.2": 10])
    let clock = TestClock()
    let bypass = DNSBypassInterceptor(
      try AddressTable([
        "estate.example": ["203.0.114.1", "203.0.114.2:8443"],
        "other.example": ["203.0.114.3", "203.0.114.4"],
      ]),
      prober: probes.prober, time: TimeSource(clock))
    let server = Self.server(10)
    for (passed, count) in [(0, 2), (299, 2), (1, 4), (299, 4), (1, 6)] {
      clock.advance(by: .seconds(passed))
      _ = try await bypass.intercept(Self.request, next: server)
      try await probes.wait(for: count)
      _ = try await settled(bypass) { $0.count == 2 }
      #expect(probes.state.value.probed.count == count)
    }
    #expect(
      Set(probes.state.value.probed) == [
        ConnectTarget(address: "203.0.114.1", port: 443), ConnectTarget(address: "203.0.114.2", port: 8_443),
      ])
  }

  @Test("A network change forgets failures and probes the hosts in use again; probeAll probes every host")
  func networkChange() async throws {
    let probes = Probes(["203.0.114.1": 10, "203.0.114.2": 200])
    let bypass = DNSBypassInterceptor(
      try AddressTable(Self.hosts), prober: probes.prober, time: TimeSource(TestClock()))
    bypass.networkDidChange()
    bypass.probeAll()
    _ = try await settled(bypass) { $0.allSatisfy { $0.connectTime != nil } && $0.count == 2 }
    probes.state.update { $0.times = ["203.0.114.1": .milliseconds(300), "203.0.114.2": .milliseconds(20)] }
    bypass.networkDidChange()
    let statuses = try await settled(bypass) { $0.last?.connectTime == .milliseconds(20) }
    // Not an average with the former network's time.
    #expect(statuses.map(\.connectTime) == [.milliseconds(300), .milliseconds(20)])
    #expect(probes.state.value.probed.count == 4)
  }

  @Test("A failed probe opens the circuit breaker, unless all probes of the host have failed")
  func failures() async throws {
    let probes = Probes(["203.0.114.2": 10])
    let bypass = DNSBypassInterceptor(
      try AddressTable(Self.hosts), prober: probes.prober, time: TimeSource(TestClock()))
    bypass.probeAll()
    let statuses = try await settled(bypass) { $0.last?.connectTime != nil }
    #expect(statuses.map(\.failures) == [1, 0])
    probes.state.update { $0.times = [:] }
    bypass.networkDidChange()
    try await probes.wait(for: 4)
    #expect(bypass.statuses(of: "estate.example").map(\.failures) == [0, 0])
  }

  @Test("At most 10 connections are made at once, and a released bypass starts no more")
  func bounded() async throws {
    let probes = Probes()
    probes.state.update { $0.isOpen = false }
    var hosts: [String: [String]] = [:]
    for host in 1...4 { hosts["h\(host).example"] = (1...30).map { "203.0.114.\($0)" } }
    var bypass: DNSBypassInterceptor? = DNSBypassInterceptor(
      try AddressTable(hosts), prober: probes.prober, time: TimeSource(TestClock()))
    bypass?.probeAll()
    bypass?.probeAll()
    try await probes.state.wait { $0.running == 10 }
    bypass = nil
    probes.state.update { $0.isOpen = true }
    try await probes.state.wait { $0.running == 0 }
    #expect(probes.state.value.maximum == 10)
    #expect(probes.state.value.probed.count == 10)
  }

  @Test("A TCP probe measures a connection to a server that listens, and fails on a port that doesn't")
  func tcp() async throws {
    let server = try ScriptedServer { _ in .text("here") }
    let here = await AddressProber.tcp.connectTime(to: ConnectTarget(address: "127.0.0.1", port: server.port))
    #expect(try #require(here) > .zero)
    let closed = try ClosedPort()
    #expect(
      await AddressProber.tcp.connectTime(to: ConnectTarget(address: "127.0.0.1", port: closed.port)) == nil)
    #expect(await AddressProber.tcp.connectTime(to: ConnectTarget(address: "::1", port: closed.port)) == nil)
    #expect(await AddressProber.tcp.connectTime(to: ConnectTarget(address: "estate", port: 80)) == nil)
  }

  @Test("A TCP probe of a silent port gives up, after 2 s at the earliest and before the system does")
  func silent() async throws {
    let hole = try BlackHole()
    let start = ContinuousClock.now
    #expect(
      await AddressProber.tcp.connectTime(to: ConnectTarget(address: "127.0.0.1", port: hole.port)) == nil)
    #expect(ContinuousClock.now - start >= SocketProbe.limit)
    #expect(SocketProbe.limit == .seconds(2))
    #expect(hole.isConnecting)
  }
}
