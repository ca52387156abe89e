import CurlTransport
import DNSBypass
import HTTPTypes
import Interception
import LoopbackServing
import Testing

/// The bypass over libcurl, against servers on the loopback interface.
///
/// The names don't exist in any DNS.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DNSBypassWireTests {
  private func pipeline(
    _ hosts: [String: [String]], tls: TLSPolicy = TLSPolicy(), prober: AddressProber? = nil
  ) throws -> (Pipeline, DNSBypassInterceptor) {
    let bypass = DNSBypassInterceptor(try AddressTable(hosts, allowing: [.loopback]), prober: prober)
    let pipeline = try Pipeline(over: CurlDispatcher(configuration: .init(tls: tls))) { bypass }
    return (pipeline, bypass)
  }

  @Test("E6: A name unknown to DNS is reached through the table, and the server sees it as Host")
  func hostIsKept() async throws {
    let server = try ScriptedServer { _ in .text("here") }
    let authority = "estate.invalid:\(server.port)"
    let (pipeline, bypass) = try pipeline([authority: ["127.0.0.1"]])
    let response = try await pipeline.send(Request(scheme: "http", authority: authority, path: "/houses?q=1"))
    #expect(try await response.body.collect(upTo: 99) == Array("here".utf8))
    #expect(response.exchange.transport?.remoteAddress == server.authority)
    let seen = try #require(server.requests.first)
    #expect(seen.value(of: "Host") == authority)
    #expect(seen.target == "/houses?q=1")
    let learnt = try #require(bypass.statuses(of: authority, scheme: "http").first?.connectTime)
    #expect(learnt == response.exchange.transport?.phases.connect)
  }

  @Test("E7: A refusing and a silent address are skipped, case is ignored, and the body arrives whole")
  func failover() async throws {
    let server = try ScriptedServer { .text($0.text) }
    let closed = try ClosedPort()
    let silent = try BlackHole()
    let (pipeline, bypass) = try pipeline(
      ["estate.invalid": ["127.0.0.1:\(closed.port)", "127.0.0.1:\(silent.port)", server.authority]])
    for number in 1...2 {
      let response = try await pipeline.send(
        Request(
          method: .put, scheme: "http", authority: "Estate.INVALID", path: "/", body: .text("kept \(number)"))
      )
      #expect(try await response.body.collect(upTo: 99) == Array("kept \(number)".utf8))
    }
    #expect(
      server.requests.map { $0.value(of: "Host")?.lowercased() } == ["estate.invalid", "estate.invalid"])
    let statuses = bypass.statuses(of: "estate.invalid", scheme: "http")
    #expect(statuses.map(\.failures) == [1, 1, 0])
    #expect(statuses.map { $0.circuitOpenFor != nil } == [true, true, false])
  }

  @Test("If everything fails, the error names each address with its cause, and the system's DNS")
  func everythingFails() async throws {
    let closed = try ClosedPort()
    let (pipeline, _) = try pipeline(["estate.invalid": ["127.0.0.1:\(closed.port)"]])
    let error = try #require(
      await #expect(throws: NetworkError.self) {
        try await pipeline.send(Request(scheme: "http", authority: "estate.invalid", path: "/"))
      })
    #expect(error.kind == .connect)
    #expect(error.origin == .interceptor("DNSBypassInterceptor"))
    let failure = try #require(error.underlying(as: BypassError.self))
    #expect(failure.attempts.map { $0.error?.kind } == [.connect, .resolve])
    #expect(error.reason.contains("[127.0.0.1:\(closed.port)] connect:"))
    #expect(error.reason.contains("[system DNS] resolve:"))
  }

  @Test(
    "E6: Over TLS the name is sent as SNI, and the certificate is verified against it",
    .enabled(if: NginxServer.runsSuites))
  func tlsByName() async throws {
    let server = try await NginxServer()
    let trusted = TLSPolicy(authorityFile: server.certificates.authorityFile)
    let authority = "\(CertificateSet.name):\(server.tlsPort())"
    let (pipeline, _) = try pipeline([authority: ["127.0.0.1"]], tls: trusted)
    let response = try await pipeline.send(Request(authority: authority, path: "/echo"))
    let lines = String(decoding: try await response.body.collect(upTo: 999), as: UTF8.self).split(
      separator: "\n")
    #expect(
      lines.prefix(4).elementsEqual([
        "HTTP/2.0", Substring(CertificateSet.name), Substring(authority), "/echo",
      ]))
  }

  @Test(
    "E6: An address that presents a certificate for another name is skipped",
    .enabled(if: NginxServer.runsSuites))
  func wrongName() async throws {
    let server = try await NginxServer()
    let trusted = TLSPolicy(authorityFile: server.certificates.authorityFile)
    let (pipeline, bypass) = try pipeline(
      [CertificateSet.name: ["127.0.0.1:\(server.tlsPort(.wrongName))", "127.0.0.1:\(server.tlsPort())"]],
      tls: trusted)
    let response = try await pipeline.send(Request(authority: CertificateSet.name, path: "/echo"))
    #expect(response.status == .ok)
    #expect(bypass.statuses(of: CertificateSet.name).map(\.failures) == [1, 0])
  }

  @Test(
    "A connection that was opened ahead to each address serves the first request",
    .enabled(if: NginxServer.runsSuites))
  func openedAhead() async throws {
    let server = try await NginxServer()
    let closed = try ClosedPort()
    let dispatcher = CurlDispatcher(
      configuration: .init(tls: TLSPolicy(authorityFile: server.certificates.authorityFile)))
    let addresses = ["127.0.0.1:\(closed.port)", "127.0.0.1:\(server.tlsPort())"]
    let bypass = DNSBypassInterceptor(
      try AddressTable([CertificateSet.name: addresses], allowing: [.loopback]), prober: nil)
    let pipeline = try Pipeline(over: dispatcher) { bypass }
    let request = Request(authority: CertificateSet.name, path: "/echo")
    let each = bypass.requestPerAddress(request)
    #expect(each.map { $0.context.connectTarget.map { "\($0)" } } == addresses)
    await #expect(throws: NetworkError.self) { try await dispatcher.connect(for: each[0]) }
    try await dispatcher.connect(for: each[1])
    let transport = try #require(try await pipeline.send(request).exchange.transport)
    #expect(transport.connectionWasReused && transport.remoteAddress == addresses[1])
    // The first address has failed by now.
    #expect(bypass.requestPerAddress(request).map { $0.context.connectTarget?.port } == [server.tlsPort()])
    var chosen = request
    chosen.context.connectTarget = ConnectTarget(address: "127.0.0.9")
    #expect(bypass.requestPerAddress(chosen).map(\.context.connectTarget?.address) == ["127.0.0.9"])
    let other = Request(authority: "other.invalid", path: "/")
    #expect(bypass.requestPerAddress(other).map(\.context.connectTarget) == [nil])
  }

  @Test(
    "E6: A certificate that covers only the address, not the name, is refused",
    .enabled(if: NginxServer.runsSuites))
  func addressIsNotEnough() async throws {
    let server = try await NginxServer()
    let trusted = TLSPolicy(authorityFile: server.certificates.authorityFile)
    let authority = "estate.invalid:\(server.tlsPort())"
    let (pipeline, _) = try pipeline([authority: ["127.0.0.1"]], tls: trusted)
    let error = try #require(
      await #expect(throws: NetworkError.self) {
        try await pipeline.send(Request(authority: authority, path: "/echo"))
      })
    let failure = try #require(error.underlying(as: BypassError.self))
    #expect(failure.attempts.first?.error?.kind == .tls(.nameMismatch))
  }
}
