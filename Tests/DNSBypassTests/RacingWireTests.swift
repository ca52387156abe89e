import CurlTransport
import HTTPTypes
import Interception
import LoopbackServing
import SwitchyardTesting
import Testing

@testable import DNSBypass

/// The race of a host's addresses over libcurl, against servers and silent ports on the loopback network.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RacingWireTests {
  /// A pipeline over libcurl whose race waits on a clock that the test advances.
  private struct Race {
    /// The delay before the next address is tried.
    private static let delay = Duration.milliseconds(250)

    let clock = TestClock()
    let curl: CurlDispatcher
    /// Passes each attempt to ``curl``, and records it.
    let attempts: ScriptedDispatcher
    let bypass: DNSBypassInterceptor
    let pipeline: Pipeline

    init(_ hosts: [String: [String]], tls: TLSPolicy = TLSPolicy()) throws {
      let curl = CurlDispatcher(configuration: .init(tls: tls))
      self.curl = curl
      attempts = ScriptedDispatcher(capabilities: curl.capabilities) { request, _ throws(NetworkError) in
        try await curl.dispatch(request)
      }
      let bypass = DNSBypassInterceptor(
        try AddressTable(hosts, allowing: [.loopback]), prober: nil, time: TimeSource(clock))
      self.bypass = bypass
      pipeline = try Pipeline(over: attempts) { bypass }
    }

    /// The addresses of the attempts in their order.
    var addresses: [String?] { attempts.requests.map { $0.connectTarget?.address } }

    /// Sends a request whose first attempt is silent, and returns the response.
    ///
    /// The clock advances by the delay only, so the response required no other wait.
    func send(_ request: Request) async throws -> Response {
      let start = clock.now
      async let response = pipeline.send(request)
      try await clock.waitForSleepers()
      try await waitUntil("the attempt connects") { isConnecting }
      clock.advance(by: Self.delay - .milliseconds(1))
      #expect(attempts.requests.count == 1)
      clock.advance(by: .milliseconds(1))
      let answered = try await response
      #expect(attempts.requests.count == 2)
      #expect(start.duration(to: clock.now) == Self.delay)
      return answered
    }

    private var isConnecting: Bool { attempts.requests.first?.raceEntry?.race.isConnecting == true }
  }

  private func bypass(_ hosts: [String: [String]]) throws -> DNSBypassInterceptor {
    DNSBypassInterceptor(try AddressTable(hosts, allowing: [.loopback]), prober: nil)
  }

  private func pipeline(
    _ bypass: DNSBypassInterceptor, tls: TLSPolicy = TLSPolicy(), proxies: ProxyPolicy = .direct
  ) throws -> Pipeline {
    try Pipeline(over: CurlDispatcher(configuration: .init(tls: tls, proxies: proxies))) { bypass }
  }

  private func request(_ body: RequestBody = .text("kept")) -> Request {
    Request(method: .post, scheme: "http", authority: "estate.invalid", path: "/", body: body)
  }

  @Test("With a dead first address the next one is tried after 250 ms, and the request is sent once")
  func deadFirst() async throws {
    let server = try ScriptedServer(address: "127.0.0.2") { .text($0.text) }
    let hole = try BlackHole()
    let race = try Race(["estate.invalid": ["127.0.0.1:\(hole.port)", server.authority]])
    let response = try await race.send(request())
    #expect(try await response.body.collect(upTo: 99) == Array("kept".utf8))
    #expect(race.addresses == ["127.0.0.1", "127.0.0.2"])
    #expect(server.requests.count == 1)
  }

  @Test("With an address that has just died the next one is tried after 250 ms, and the request is sent once")
  func justDied() async throws {
    let server = try ScriptedServer { .text($0.text) }
    var first: ScriptedServer? = try ScriptedServer(address: "127.0.0.2") { .text($0.text) }
    let port = try #require(first?.port)
    let race = try Race(["estate.invalid": ["127.0.0.2:\(port)", server.authority]])
    _ = try await race.pipeline.send(request())
    #expect(first?.requests.count == 1)
    first = nil
    let hole = try BlackHole(address: "127.0.0.2", port: port)
    // Its connection is gone, as after a change of the network.
    race.curl.networkDidChange()
    let source = ScriptedByteSource([Array("on".utf8), Array("ce".utf8)])
    // A body that can't be sent again has no race: libcurl's own clock limits the attempt to connect.
    let start = ContinuousClock.now
    let response = try await race.pipeline.send(request(.once(length: 4, source)))
    #expect(start.duration(to: .now) >= .milliseconds(250))
    #expect(try await response.body.collect(upTo: 99) == Array("once".utf8))
    #expect(race.bypass.statuses(of: "estate.invalid", scheme: "http").map(\.failures) == [1, 0])
    #expect(race.addresses == ["127.0.0.2", "127.0.0.2", "127.0.0.1"])
    #expect(server.requests.count == 1)
    withExtendedLifetime(hole) {}
  }

  @Test(
    "E6: Over TLS an address that accepts connections but is silent is overtaken by HTTP/2, under the same name",
    .enabled(if: NginxServer.runsSuites))
  func silentTLS() async throws {
    let server = try await NginxServer()
    // It waits for a request line, which TLS never sends.
    let silent = try ScriptedServer(address: "127.0.0.2", raw: { _, wire in wire.stayOpen() })
    let trusted = TLSPolicy(authorityFile: server.certificates.authorityFile)
    let authority = "\(CertificateSet.name):\(server.tlsPort())"
    let race = try Race([authority: [silent.authority, "127.0.0.1"]], tls: trusted)
    let response = try await race.send(Request(authority: authority, path: "/echo"))
    let lines = String(decoding: try await response.body.collect(upTo: 999), as: UTF8.self).split(
      separator: "\n")
    #expect(
      lines.prefix(4).elementsEqual([
        "HTTP/2.0", Substring(CertificateSet.name), Substring(authority), "/echo",
      ]))
    #expect(race.addresses == ["127.0.0.2", "127.0.0.1"])
    #expect(race.bypass.statuses(of: authority).map(\.failures) == [1, 0])
  }

  @Test("Many requests at once to a host whose first address is dead are each sent once, beyond its limit")
  func crowd() async throws {
    let server = try ScriptedServer { .text($0.text) }
    let hole = try BlackHole()
    let bypass = try bypass(["estate.invalid": ["127.0.0.1:\(hole.port)", server.authority]])
    let pipeline = try pipeline(bypass)
    let bodies = (0..<12).map { "number \($0)" }
    let texts = try await withThrowingTaskGroup(of: String.self) { group in
      for body in bodies {
        group.addTask {
          let response = try await pipeline.send(
            Request(
              method: .post, scheme: "http", authority: "estate.invalid", path: "/", body: .text(body)))
          return String(decoding: try await response.body.collect(upTo: 99), as: UTF8.self)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(texts.sorted() == bodies.sorted())
    #expect(server.requests.count == bodies.count)
  }

  @Test("Cancelling the caller ends every attempt, also of those that started later")
  func cancelled() async throws {
    let holes = try [BlackHole(), BlackHole()]
    let bypass = try bypass(["estate.invalid": holes.map { "127.0.0.1:\($0.port)" }])
    let dispatcher = CurlDispatcher()
    let pipeline = try Pipeline(over: dispatcher) { bypass }
    let task = Task { try await pipeline.send(request()) }
    try await waitUntil("both requests are running") { await dispatcher.occupancy().runningRequests == 2 }
    task.cancel()
    let error = await #expect(throws: NetworkError.self) { try await task.value }
    #expect(error?.kind == .cancelled(.task))
    #expect(error?.requestMayHaveBeenProcessed == false)
    #expect(await dispatcher.occupancy().runningRequests == 0)
  }

  @Test("Behind a proxy one connection is made, and no address is measured")
  func proxied() async throws {
    let hole = try BlackHole()
    let proxy = try ScriptedServer { request in .text(request.target) }
    let bypass = try bypass(["estate.invalid": ["127.0.0.1:\(hole.port)", "127.0.0.2:\(hole.port)"]])
    let policy = ProxyPolicy(Proxy(.http, host: "127.0.0.1", port: proxy.port))
    let pipeline = try pipeline(bypass, proxies: policy)
    for _ in 1...2 { _ = try await pipeline.send(request()) }
    #expect(proxy.requests.map(\.target) == ["http://estate.invalid/", "http://estate.invalid/"])
    #expect(bypass.statuses(of: "estate.invalid", scheme: "http").map(\.connectTime) == [nil, nil])
  }
}
