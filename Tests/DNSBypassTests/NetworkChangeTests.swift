import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization
import Testing

@testable import DNSBypass

/// What ends after the network, or the table, has changed.
@Suite("Changes while requests and probes are under way", .timeLimit(.minutes(5)))
struct NetworkChangeTests {
  private static let targets = ["203.0.114.1", "203.0.114.2"].map { ConnectTarget(address: $0) }

  private static func host() throws -> KnownHost {
    KnownHost(try #require(HostName("estate.example")), port: 443, addresses: targets)
  }

  @Test("Outcomes of a former network are not recorded, and those of the present one are")
  func outcomes() throws {
    let host = try Self.host()
    let former = host.choose(delay: .milliseconds(250), at: .zero).network
    host.networkDidChange()
    func failures() -> [Int] { host.statuses(at: .zero).map(\.failures) }
    func times() -> [Duration?] { host.statuses(at: .zero).map(\.connectTime) }
    let transport = TransportReport(phases: .init(connect: .milliseconds(20)), connectionWasReused: false)

    #expect(!host.noteFailure(of: Self.targets[0], .connection, in: former, at: .zero))
    host.noteSuccess(of: Self.targets[0], transport, in: former, at: .zero)
    host.noteProbes([(Self.targets[0], nil), (Self.targets[1], .seconds(1))], in: former, at: .zero)
    #expect(failures() == [0, 0] && times() == [nil, nil])

    #expect(host.noteFailure(of: Self.targets[0], .connection, in: host.network, at: .zero))
    host.noteConnected(Self.targets[0], in: former)
    host.retractFailures(of: [Self.targets[0]], in: former)
    #expect(failures() == [1, 0])
    host.noteConnected(Self.targets[0], in: host.network)
    host.noteSuccess(of: Self.targets[1], transport, in: host.network, at: .zero)
    #expect(failures() == [0, 0] && times() == [nil, .milliseconds(20)])
  }

  @Test("A connection that fails because the network has changed doesn't open the address's circuit breaker")
  func failureOfFormerNetwork() async throws {
    let bypass = DNSBypassInterceptor(
      try AddressTable(["estate.example": Self.targets.map(\.address)]), prober: nil,
      time: TimeSource(TestClock()))
    let server = ScriptedDispatcher { request, number throws(NetworkError) in
      guard number == 1 else { return Response(status: .ok) }
      bypass.networkDidChange()
      throw NetworkError(.connect, "The network is unreachable.")
    }
    let response = try await server.intercepted(by: bypass).dispatch(
      Request(authority: "estate.example", path: "/"))
    #expect(response.status == .ok && server.requests.count == 2)
    #expect(bypass.statuses(of: "estate.example").map(\.failures) == [0, 0])
  }

  @Test("A request whose name is looked up while the table is updated uses the table's address")
  func tableOfLookUp() async throws {
    let known = Mutex<DNSBypassInterceptor?>(nil)
    let table = try AddressTable(["estate.example": ["203.0.114.9"]])
    let names = ScriptedDispatcher { request, _ throws(NetworkError) in
      known.withLock { $0 }?.update(table)
      return Response(
        status: .ok, headerFields: [.contentType: "application/dns-message"],
        bytes: NameMessageBuilder(
          "estate.example", records: [.address("estate.example", [203, 0, 114, 1], seconds: 60)]
        ).bytes)
    }
    let bypass = DNSBypassInterceptor(
      .empty, resolver: try HTTPSNameResolver("https://dns.test/", over: names), prober: nil)
    known.withLock { $0 = bypass }
    let server = ScriptedDispatcher()
    _ = try await server.intercepted(by: bypass).dispatch(Request(authority: "estate.example", path: "/"))
    #expect(server.requests.map { $0.connectTarget?.address } == ["203.0.114.9"])
    known.withLock { $0 = nil }
  }
}
