import CCurlShims
import CLibcurl
import HTTPTypes
import Interception
import LoopbackServing
import Testing

@testable import CurlTransport

@Suite(.timeLimit(.minutes(5)))
struct ConnectionPolicyTests {
  @Test("E2: Requests one after another share one connection")
  func reuse() async throws {
    let server = try ScriptedServer { _ in .text("ok") }
    let dispatcher = CurlDispatcher()
    for number in 0..<20 {
      let report = try await dispatcher.dispatch(.get(server)).exchange.transport
      #expect(report?.connectionWasReused == (number > 0))
    }
    #expect(server.counts.accepted == 1)
  }

  @Test("No more connections are kept than allowed")
  func maximumKept() async throws {
    let dispatcher = CurlDispatcher(configuration: .init(connections: .init(kept: 1)))
    // Two names of one server are two origins, so neither request can use the other's connection.
    let server = try ScriptedServer { _ in .text("") }
    for host in ["127.0.0.1", "localhost"] {
      let request = Request(scheme: "http", authority: "\(host):\(server.port)", path: "/")
      _ = try await dispatcher.dispatch(request)
    }
    let counts = try await server.wait { $0.closed == 1 }
    #expect(counts.accepted == 2)
  }

  @Test("A connection that was idle for too long is not reused")
  func maximumIdle() async throws {
    let server = try ScriptedServer { _ in .text("ok") }
    let hole = try BlackHole()
    for (idle, isReused) in [(Duration.zero, false), (.seconds(118), true)] {
      let dispatcher = CurlDispatcher(configuration: .init(connections: .init(idle: idle)))
      _ = try await dispatcher.dispatch(.get(server))
      // A connection attempt that hangs lets libcurl's own clock, which counts seconds, move on.
      var lost = Request(scheme: "http", authority: "127.0.0.1:\(hole.port)", path: "/")
      lost.options.timeouts.connect = .milliseconds(1200)
      let error = await failure { [lost] () throws(NetworkError) in try await dispatcher.dispatch(lost) }
      #expect(error?.kind == .timeout(.connect))
      #expect(try await dispatcher.dispatch(.get(server)).exchange.transport?.connectionWasReused == isReused)
    }
  }

  @Test("Values out of range are clamped")
  func clamping() {
    let policy = ConnectionPolicy(
      idle: .seconds(-1), lifetime: .zero, kept: 0, probe: .zero, headStart: .seconds(-1))
    #expect(policy.idle == .zero && policy.lifetime == .seconds(1) && policy.kept == 1)
    #expect(policy.probe == .seconds(1) && policy.headStart == .zero)
    #expect(Duration.seconds(1 << 40).seconds == Int(Int32.max))
  }

  @Test("libcurl accepts unusual limits of connections")
  func unusualLimits() async throws {
    let server = try ScriptedServer { _ in .text("ok") }
    let dispatcher = CurlDispatcher(
      configuration: .init(
        connections: .init(
          idle: .seconds(5), lifetime: .seconds(60), kept: 4, probe: .seconds(20),
          headStart: .milliseconds(50))))
    #expect(try await dispatcher.dispatch(.get(server)).status == .ok)
  }

  @Test(
    "IPv4 is tried after the head start of an IPv6 address that does not respond",
    .enabled(if: BlackHole.hasV6, "this machine has no IPv6 loopback address"),
    arguments: [Duration.milliseconds(50), .milliseconds(400)])
  func headStart(headStart: Duration) throws {
    let server = try ScriptedServer { _ in .text("ok") }
    let hole = try #require(BlackHole(v6Port: server.port))
    // No local name is certain to have both addresses, so the handle gets one that has.
    var addresses = HeaderBlock()
    addresses.appendLine("both.test:\(hole.port):[::1],127.0.0.1")
    let list = HeaderList(addresses)
    let handle = try #require(ReusableHandle())
    try HandleDefaults.applySafety(to: handle.easy)
    try HandleDefaults.apply(ConnectionPolicy(headStart: headStart), to: handle.easy, library: .loaded())
    try unsafe handle.easy.set(CURLOPT_RESOLVE, pointer: UnsafeMutableRawPointer(list.first))
    try handle.easy.set(CURLOPT_URL, "http://both.test:\(hole.port)/")
    try handle.easy.set(CURLOPT_NOBODY, 1)
    #expect(curl_easy_perform(handle.easy.pointer) == CURLE_OK)
    let figures = handle.easy.figures
    #expect(figures.address.map { String(cString: $0) } == "127.0.0.1")
    let taken = Duration.microseconds(figures.connected)
    #expect(taken >= headStart && taken < headStart + .seconds(5))
  }

  @Test("E2: With several threads an origin's requests still share its connection")
  func loops() async throws {
    let dispatcher = CurlDispatcher(configuration: .init(limits: .init(perOrigin: 1), loops: 2))
    let servers = try (0..<8).map { _ in try ScriptedServer { _ in .text("ok") } }
    let lanes = servers.map { WebOrigin(scheme: .http, host: "127.0.0.1", port: $0.port).lane(of: 2) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<80 {
        group.addTask { _ = try await dispatcher.dispatch(.get(servers[number % 8])) }
      }
      try await group.waitForAll()
    }
    #expect(servers.allSatisfy { $0.counts.accepted == 1 && $0.counts.requests == 10 })
    // Eight ports in a row of one lane would show a hash that doesn't spread.
    #expect(Set(lanes).isSubset(of: [0, 1]))
    await dispatcher.shutdown()
    let late = await failure { () throws(NetworkError) in try await dispatcher.dispatch(.get(servers[0])) }
    #expect(late?.kind == .cancelled(.shutdown))
  }

  @Test("Each origin always uses the same thread, and origins use all threads")
  func lanes() {
    var counts = [0, 0, 0, 0]
    for number in 0..<4000 {
      let origin = WebOrigin(scheme: .https, host: "host\(number).test", port: 443)
      let lane = origin.lane(of: 4)
      #expect(lane == origin.lane(of: 4))
      counts[lane] += 1
    }
    #expect(counts.allSatisfy { (850...1150).contains($0) })
    #expect(WebOrigin(scheme: .https, host: "a", port: 1).lane(of: 1) == 0)
  }
}
