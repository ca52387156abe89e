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
  /// The bar for a connection whose first address is dead.
  private static let bar = Duration.milliseconds(300)

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

  /// Returns the shortest time of a few runs, because the machine may be busy.
  private func shortest(
    of runs: Int = 5, _ run: () async throws -> Void
  ) async rethrows -> Duration {
    var shortest = Duration.seconds(3_600)
    for _ in 0..<runs where shortest > Self.bar {
      let start = ContinuousClock.now
      try await run()
      shortest = min(shortest, ContinuousClock.now - start)
    }
    return shortest
  }

  @Test("With a dead first address the request is sent once, within 300 ms")
  func deadFirst() async throws {
    let server = try ScriptedServer { .text($0.text) }
    let hole = try BlackHole()
    let table = ["estate.invalid": ["127.0.0.1:\(hole.port)", server.authority]]
    var sent = 0
    let taken = try await shortest {
      let pipeline = try pipeline(try bypass(table))
      let response = try await pipeline.send(request())
      sent += 1
      #expect(try await response.body.collect(upTo: 99) == Array("kept".utf8))
    }
    #expect(taken >= .milliseconds(250))
    #expect(taken <= Self.bar, "A response with a dead first address took \(taken).")
    #expect(server.requests.count == sent)
  }

  @Test("With an address that has just died the request is sent once, within 300 ms")
  func justDied() async throws {
    let server = try ScriptedServer { .text($0.text) }
    var sent = 0
    let taken = try await shortest {
      var first: ScriptedServer? = try ScriptedServer(address: "127.0.0.2") { .text($0.text) }
      let port = try #require(first?.port)
      let bypass = try bypass(["estate.invalid": ["127.0.0.2:\(port)", server.authority]])
      let dispatcher = CurlDispatcher()
      let pipeline = try Pipeline(over: dispatcher) { bypass }
      _ = try await pipeline.send(request())
      #expect(first?.requests.count == 1)
      first = nil
      let hole = try BlackHole(address: "127.0.0.2", port: port)
      // Its connection is gone, as after a change of the network.
      dispatcher.networkDidChange()
      let start = ContinuousClock.now
      let source = ScriptedByteSource([Array("on".utf8), Array("ce".utf8)])
      let response = try await pipeline.send(request(.once(length: 4, source)))
      let taken = ContinuousClock.now - start
      sent += 1
      #expect(try await response.body.collect(upTo: 99) == Array("once".utf8))
      #expect(bypass.statuses(of: "estate.invalid", scheme: "http").map(\.failures) == [1, 0])
      #expect(taken >= .milliseconds(250))
      withExtendedLifetime(hole) {}
    }
    // The time of a run includes the first server's start and request.
    #expect(taken <= Self.bar + .milliseconds(50), "A response took \(taken).")
    #expect(server.requests.count == sent)
  }

  @Test(
    "E6: Over TLS an address that accepts connections but is silent is overtaken by HTTP/2, under the same name",
    .enabled(if: NginxServer.runsSuites))
  func silentTLS() async throws {
    let server = try await NginxServer()
    // It waits for a request line, which TLS never sends.
    let silent = try ScriptedServer(address: "127.0.0.2", raw: { _, wire in wire.stayOpen() })
    let trusted = TLSPolicy(authorities: .file(server.certificates.authorityFile))
    let authority = "\(CertificateSet.name):\(server.tlsPort())"
    let bypass = try bypass([authority: [silent.authority, "127.0.0.1"]])
    let pipeline = try pipeline(bypass, tls: trusted)
    let start = ContinuousClock.now
    let response = try await pipeline.send(Request(authority: authority, path: "/echo"))
    let taken = ContinuousClock.now - start
    let lines = String(decoding: try await response.body.collect(upTo: 999), as: UTF8.self).split(
      separator: "\n")
    #expect(
      lines.prefix(4).elementsEqual([
        "HTTP/2.0", Substring(CertificateSet.name), Substring(authority), "/echo",
      ]))
    #expect(taken >= .milliseconds(250) && taken < .seconds(3))
    #expect(bypass.statuses(of: authority).map(\.failures) == [1, 0])
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
