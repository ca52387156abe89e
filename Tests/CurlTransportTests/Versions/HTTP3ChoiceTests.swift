import HTTPTypes
import Interception
import LoopbackServing
import Testing

@testable import CurlTransport

@Suite("The choice of HTTP/3", .timeLimit(.minutes(5)), .http3, .caddy)
struct HTTP3ChoiceTests {
  private typealias Outcome = TransportReport.HTTP3Outcome

  @Test("With HTTP3Use.first the first request is sent over HTTP/3, and later ones share its connection")
  func first() async throws {
    let server = try await CaddyServer()
    let dispatcher = HTTP3Bench.dispatcher(server)
    let request = HTTP3Bench.request(server.port)
    let (report, line) = try await dispatcher.line(request)
    #expect(line == "HTTP/3.0")
    #expect(report.version == .http3 && report.http3 == .used && !report.connectionWasReused)
    #expect(report.remoteAddress == "127.0.0.1:\(server.port)")
    #expect(report.phases.connect != nil)
    let reports = try await withThrowingTaskGroup(of: TransportReport.self) { group in
      for _ in 0..<50 { group.addTask { try await dispatcher.line(request).report } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(reports.allSatisfy { $0.http3 == .used && $0.connectionWasReused })
    #expect(await dispatcher.census().isEmpty)
    await dispatcher.shutdown()
  }

  @Test("L3: Requests use HTTP/3 once a response has advertised it, unless that is turned off")
  func advertised() async throws {
    let server = try await CaddyServer()
    let request = HTTP3Bench.request(server.port)
    let dispatcher = HTTP3Bench.dispatcher(server, .whenAdvertised)
    let reports = [try await dispatcher.line(request), try await dispatcher.line(request)].map(\.report)
    #expect(reports.map(\.version) == [.http2, .http3])
    #expect(reports.map(\.http3) == [Outcome.notAdvertised, .used])
    let off = HTTP3Bench.dispatcher(server, .off)
    for _ in 0..<2 {
      let report = try await off.line(request).report
      #expect(report.version == .http2 && report.http3 == .off)
    }
  }

  @Test("L3: What one partition has learned is not used by another one, nor after a change of network")
  func partitions() async throws {
    let server = try await CaddyServer()
    let dispatcher = HTTP3Bench.dispatcher(server, .whenAdvertised)
    for partition in ["anna", "bert"] {
      for version in [TransportReport.HTTPVersion.http2, .http3] {
        let request = HTTP3Bench.request(server.port, partition: partition)
        #expect(try await dispatcher.line(request).report.version == version)
      }
    }
    dispatcher.networkDidChange()
    let request = HTTP3Bench.request(server.port, partition: "anna")
    #expect(try await dispatcher.line(request).report.http3 == .notAdvertised)
    #expect(try await dispatcher.line(request).report.http3 == .used)
  }

  @Test("L3: An alternative at another port of the host is connected there, for the origin's own name")
  func otherPort() async throws {
    let server = try await CaddyServer()
    let dispatcher = HTTP3Bench.dispatcher(server, .whenAdvertised)
    var request = HTTP3Bench.request(server.tcpPort)
    request.head.authority = "localhost:\(server.tcpPort)"
    #expect(try await dispatcher.line(request).report.version == .http2)
    let response = try await dispatcher.dispatch(request)
    let report = try #require(response.exchange.transport)
    #expect(report.http3 == .used)
    #expect(report.remoteAddress?.hasSuffix(":\(server.quicPort)") == true)
    let text = String(decoding: try await response.body.collect(upTo: 100), as: UTF8.self)
    #expect(text.hasPrefix("HTTP/3.0\nlocalhost\n"))
  }

  @Test("L3: An HTTPS record chooses HTTP/3 for the first connection, in each partition, and is not kept")
  func record() async throws {
    let server = try await CaddyServer()
    let dispatcher = HTTP3Bench.dispatcher(server, .whenAdvertised)
    for partition in ["anna", "bert"] {
      var request = HTTP3Bench.request(server.port, partition: partition)
      request.context.http3RecordPort = server.port
      let (report, line) = try await dispatcher.line(request)
      #expect(report.http3 == .used && line == "HTTP/3.0")
    }
    let other = HTTP3Bench.request(server.port, partition: "carl")
    #expect(try await dispatcher.line(other).report.http3 == .notAdvertised)
    var request = HTTP3Bench.request(server.port)
    request.context.http3RecordPort = server.port
    let off = HTTP3Bench.dispatcher(server, .off)
    #expect(try await off.line(request).report.http3 == .off)
    let record = DispatcherCapabilities.http3Records
    #expect(dispatcher.capabilities.contains(record) && !off.capabilities.contains(record))
    // There the record would tell nothing new.
    #expect(!HTTP3Bench.dispatcher(server, .first).capabilities.contains(record))
  }

  @Test("L3: The port of an HTTPS record is used with the host's own addresses, and not with a chosen one")
  func recordOfOtherPort() async throws {
    let server = try await CaddyServer()
    let dispatcher = HTTP3Bench.dispatcher(server, .whenAdvertised)
    var request = HTTP3Bench.request(server.tcpPort)
    request.context.http3RecordPort = server.quicPort
    let report = try await dispatcher.line(request).report
    #expect(report.http3 == .used)
    #expect(report.remoteAddress == "127.0.0.1:\(server.quicPort)")
    request.context.connectTarget = ConnectTarget(address: "127.0.0.1")
    #expect(try await dispatcher.line(request).report.http3 == .unsuitable)
  }

  @Test(
    "L3: Where the server of an HTTPS record speaks no HTTP/3, the request is sent over HTTP/2, and others, too"
  )
  func brokenRecord() async throws {
    let server = try await CaddyServer(advertisement: "clear")
    let dispatcher = HTTP3Bench.dispatcher(server, .whenAdvertised)
    var request = HTTP3Bench.request(server.tcpPort)
    request.context.http3RecordPort = server.tcpPort
    for isFirst in [true, false, true] {
      let report = try await dispatcher.line(request).report
      #expect(report.version == .http2)
      if isFirst {
        #expect(report.http3 == .lostRace)
      } else {
        guard case .broken = report.http3 else { throw Unexpected(report.http3) }
        dispatcher.networkDidChange()
      }
    }
  }

  @Test(
    "L3: A server that does not serve the origin over HTTP/3 is left for HTTP/2, whatever has led to it",
    arguments: [HTTP3Use.first, .whenAdvertised])
  func misdirected(_ use: HTTP3Use) async throws {
    let upstream = try ScriptedServer { _ in ScriptedReply(status: 421) }
    let server = try await CaddyServer(upstream: upstream.port)
    let dispatcher = HTTP3Bench.dispatcher(server, use)
    var request = HTTP3Bench.request(server.port, "/forwarded")
    if use == .whenAdvertised { request.context.http3RecordPort = server.port }
    let first = try await dispatcher.dispatch(request)
    #expect(first.status.code == 421 && first.exchange.transport?.http3 == .used)
    let second = try await dispatcher.dispatch(request).exchange.transport
    #expect(second?.version == .http2)
    guard case .broken = second?.http3 else { throw Unexpected(second?.http3) }
  }

  @Test("An alternative that no server serves costs no request, and is not tried again for five minutes")
  func brokenAlternative() async throws {
    // Nothing listens at a port of the system that no service has.
    let server = try await CaddyServer(advertisement: "h3=\":1\"")
    let dispatcher = HTTP3Bench.dispatcher(server, .whenAdvertised)
    let request = HTTP3Bench.request(server.tcpPort)
    var outcomes: [Outcome?] = []
    for _ in 0..<3 {
      let report = try await dispatcher.line(request).report
      #expect(report.version == .http2)
      outcomes.append(report.http3)
    }
    #expect(outcomes.prefix(2) == [.notAdvertised, .lostRace])
    guard case .broken(let pause) = outcomes[2] else { throw Unexpected(outcomes[2]) }
    #expect(pause > .seconds(290) && pause <= .seconds(300))
    // In the new network the server has to advertise it again.
    dispatcher.networkDidChange()
    #expect(try await dispatcher.line(request).report.http3 == .notAdvertised)
    #expect(try await dispatcher.line(request).report.http3 == .lostRace)
    #expect(await dispatcher.census().isEmpty)
  }

  @Test(
    "A server without HTTP/3 is requested over HTTP/2, and HTTP/3 is not tried again for five minutes",
    .enabled(if: NginxServer.runsSuites, "nginx is not installed"))
  func onlyTCP() async throws {
    let server = try await NginxServer()
    let dispatcher = CurlDispatcher(
      configuration: .init(tls: .init(authorityFile: server.certificates.authorityFile), http3: .first))
    let request = HTTP3Bench.request(server.tlsPort())
    let first = try await dispatcher.line(request).report
    #expect(first.version == .http2 && first.http3 == .lostRace)
    let second = try await dispatcher.line(request).report
    #expect(second.version == .http2)
    guard case .broken(let pause) = second.http3 else { throw Unexpected(second.http3) }
    #expect(pause > .seconds(290))
    let other = try await dispatcher.line(HTTP3Bench.request(server.tlsPort(), partition: "anna")).report
    #expect(other.http3 == .lostRace)
  }

  // The head start is long, so that QUIC over IPv4, which begins at its end, is never ready before TCP, which
  // begins after half of it.
  private static func slowRacer(_ server: CaddyServer) -> CurlDispatcher {
    HTTP3Bench.dispatcher(server) { $0.connections = ConnectionPolicy(headStart: .seconds(4)) }
  }

  @Test(
    "Where UDP is dropped over IPv6, HTTP/3 is used over IPv4 after the first request",
    .enabled(if: BlackHole.hasV6, "this machine has no IPv6 loopback address"))
  func silentV6() async throws {
    let server = try await CaddyServer(listensOnV6: true)
    let hole = try #require(BlackHole(v6DatagramPort: server.port))
    let dispatcher = Self.slowRacer(server)
    var request = HTTP3Bench.request(server.port)
    request.head.authority = "localhost:\(server.port)"
    let first = try await dispatcher.line(request).report
    #expect(first.version == .http2 && first.http3 == .lostRace)
    #expect(first.remoteAddress == "[::1]:\(server.port)")
    for isReused in [false, true] {
      let report = try await dispatcher.line(request).report
      #expect(report.version == .http3 && report.http3 == .used && report.connectionWasReused == isReused)
      #expect(report.remoteAddress == "127.0.0.1:\(server.port)")
    }
    #expect(await dispatcher.census().isEmpty)
    withExtendedLifetime(hole) {}
  }

  @Test(
    "A host that responds over IPv6 only is requested there, also while HTTP/3 is tried over IPv4",
    .enabled(if: BlackHole.hasV6, "this machine has no IPv6 loopback address"))
  func onlyV6() async throws {
    let server = try await CaddyServer(listensOnV6: true)
    let hole = try #require(BlackHole(v6DatagramPort: server.v6Port))
    let dispatcher = Self.slowRacer(server)
    var request = HTTP3Bench.request(server.v6Port)
    request.head.authority = "localhost:\(server.v6Port)"
    var outcomes: [Outcome?] = []
    for _ in 0..<3 {
      let report = try await dispatcher.line(request).report
      #expect(report.version == .http2 && report.remoteAddress == "[::1]:\(server.v6Port)")
      outcomes.append(report.http3)
    }
    #expect(outcomes.prefix(2) == [.lostRace, .lostRace])
    guard case .broken(let pause) = outcomes[2] else { throw Unexpected(outcomes[2]) }
    #expect(pause > .seconds(290) && pause <= .seconds(300))
    #expect(await dispatcher.census().isEmpty)
    withExtendedLifetime(hole) {}
  }

  @Test("A server that listens neither to UDP nor to TCP is a failure to connect, and nothing was sent")
  func refused() async throws {
    let dispatcher = CurlDispatcher(configuration: .init(http3: .first))
    let error = await #expect(throws: NetworkError.self) {
      try await dispatcher.dispatch(Request("https://127.0.0.1:1/"))
    }
    #expect(error?.kind == .connect && error?.requestMayHaveBeenProcessed == false)
  }

  @Test("Through a proxy HTTP/3 is not tried", arguments: [Proxy.Kind.http, .socks5])
  func proxy(kind: Proxy.Kind) async throws {
    let server = try await CaddyServer()
    let proxy = try ProxyServer(kind == .http ? .http : .socks5)
    let dispatcher = HTTP3Bench.dispatcher(server) {
      $0.proxies = ProxyPolicy(Proxy(kind, host: "127.0.0.1", port: proxy.port))
    }
    let report = try await dispatcher.line(HTTP3Bench.request(server.port)).report
    #expect(report.version == .http2 && report.http3 == .proxied)
    #expect(proxy.sightings.value.count == 1)
  }

  @Test("Content is sent over HTTP/2, because libcurl does not survive an upload over HTTP/3 that ends early")
  func content() async throws {
    let upstream = try ScriptedServer { _ in .text("ok") }
    let server = try await CaddyServer(upstream: upstream.port)
    let dispatcher = HTTP3Bench.dispatcher(server) { $0.sendsContentOverHTTP3 = false }
    var request = HTTP3Bench.request(server.port, "/forwarded")
    request.head.method = .post
    for (text, version) in [("a", TransportReport.HTTPVersion.http2), ("", .http3)] {
      request.body = text.isEmpty ? .empty : .text(text)
      let report = try await dispatcher.line(request).report
      #expect(report.version == version && report.http3 == (version == .http3 ? .used : .unsuitable))
    }
  }

  @Test("Requests that need another version use it: trailer fields, and servers that must staple")
  func unsuitable() async throws {
    let upstream = try ScriptedServer { _ in .text("ok") }
    let server = try await CaddyServer(upstream: upstream.port)
    let dispatcher = HTTP3Bench.dispatcher(server)
    var request = HTTP3Bench.request(server.port, "/upload")
    request.head.method = .put
    request.body = .bytes([1, 2, 3])
    request.trailers = RequestTrailers([.eTag]) { [.eTag: "6"] }
    let report = try await dispatcher.line(request).report
    #expect(report.version == .http1 && report.http3 == .unsuitable)
    let stapling = try RequestPlan(
      HTTP3Bench.request(1), sites: SiteCache(.init(tls: .init(requiresStapling: true), http3: .first)))
    #expect(stapling.http3Obstacle == .unsuitable)
  }

  @Test("A connection can be opened before the first request, and HTTP/3 used for it")
  func connecting() async throws {
    let server = try await CaddyServer()
    let dispatcher = HTTP3Bench.dispatcher(server)
    let request = HTTP3Bench.request(server.port)
    try await dispatcher.connect(for: request)
    let report = try await dispatcher.line(request).report
    #expect(report.http3 == .used)
    #expect(report.connectionWasReused)
  }

  @Test("The address of the request's context is connected over HTTP/3, too")
  func address() async throws {
    let server = try await CaddyServer()
    let dispatcher = HTTP3Bench.dispatcher(server)
    var request = HTTP3Bench.request(server.port)
    request.head.authority = "\(CertificateSet.name):\(server.port)"
    request.context.connectTarget = ConnectTarget(address: "127.0.0.1")
    let (report, line) = try await dispatcher.line(request)
    #expect(report.http3 == .used && line == "HTTP/3.0")
  }
}

/// An outcome that a test did not expect.
private struct Unexpected: Error {
  let outcome: TransportReport.HTTP3Outcome?

  init(_ outcome: TransportReport.HTTP3Outcome?) { self.outcome = outcome }
}
