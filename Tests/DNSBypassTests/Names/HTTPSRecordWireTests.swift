import CurlTransport
import DNSBypass
import HTTPTypes
import Interception
import LoopbackServing
import SwitchyardTesting
import Testing

/// HTTPS records that a server of DNS over HTTPS has, and Caddy, which speaks HTTP/3.
///
/// The clock stands still, so that a record is waited for however slow the machine is.
@Suite(
  "L3: HTTPS records on the wire", .timeLimit(.minutes(5)),
  .enabled(
    if: CurlDispatcher().capabilities.contains(.http3Records),
    "it needs a libcurl with HTTP/3 (Scripts/newer-libcurl --version 8.23)"),
  .enabled(if: CaddyServer.runsSuites, "Caddy is not installed (Scripts/install-dependencies --http3)"))
struct HTTPSRecordWireTests {
  private static let h3: [UInt8] = [0, 1, 0, 3, 2, 0x68, 0x33]
  private static let h2: [UInt8] = [0, 1, 0, 3, 2, 0x68, 0x32]

  /// The data of a record with the server's name as its target.
  private static func record(_ parameters: [UInt8]) -> [UInt8] {
    let labels = CertificateSet.name.split(separator: ".")
    return [0, 1] + labels.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0] + parameters
  }

  /// A pipeline whose bypass knows the server's name from DNS over HTTPS, with the records of its port.
  private struct Fixture {
    let names: HTTPSNameServer
    let dispatcher: CurlDispatcher
    let bypass: DNSBypassInterceptor
    let pipeline: Pipeline
    let authority: String

    init(_ server: CaddyServer, port: Int, records: [[UInt8]]) async throws {
      authority = "\(CertificateSet.name):\(port)"
      names = try await HTTPSNameServer(
        [CertificateSet.name: ["127.0.0.1"]], services: ["_\(port)._https.\(CertificateSet.name)": records],
        server.certificates)
      let trusting = CurlDispatcher.Configuration(
        tls: TLSPolicy(authorityFile: server.certificates.authorityFile))
      let time = TimeSource(TestClock())
      let resolver = try HTTPSNameResolver(
        names.url, over: CurlDispatcher(configuration: trusting), allowing: [.loopback], time: time)
      let bypass = DNSBypassInterceptor(.empty, resolver: resolver, prober: nil, time: time)
      self.bypass = bypass
      dispatcher = CurlDispatcher(configuration: trusting)
      pipeline = try Pipeline(over: dispatcher) { bypass }
    }

    func send() async throws -> (report: TransportReport, line: String) {
      let response = try await pipeline.send(Request(authority: authority, path: "/echo"))
      let text = String(decoding: try await response.body.collect(upTo: 1_000), as: UTF8.self)
      return (try #require(response.exchange.transport), text.prefix { $0 != "\n" }.description)
    }
  }

  @Test("L3: The first request is sent over HTTP/3, to the address that the resolver has found")
  func first() async throws {
    let server = try await CaddyServer()
    let fixture = try await Fixture(server, port: server.port, records: [Self.record(Self.h3)])
    for isFirst in [true, false] {
      let (report, line) = try await fixture.send()
      #expect(line == "HTTP/3.0" && report.version == .http3 && report.http3 == .used)
      #expect(report.remoteAddress == "127.0.0.1:\(server.port)")
      #expect(report.connectionWasReused == !isFirst)
    }
    #expect(fixture.bypass.statuses(of: fixture.authority).map(\.target.address) == ["127.0.0.1"])
    #expect(
      fixture.names.questions.sorted() == [
        "_\(server.port)._https.\(CertificateSet.name) 65", "\(CertificateSet.name) 1",
        "\(CertificateSet.name) 28",
      ])
    // Another network may have other records; both are asked for again.
    fixture.bypass.networkDidChange()
    fixture.dispatcher.networkDidChange()
    #expect(try await fixture.send().report.http3 == .used)
    #expect(fixture.names.questions.count == 6)
  }

  @Test("A record without h3, and none, leave the first request to HTTP/2", arguments: [true, false])
  func without(hasRecord: Bool) async throws {
    let server = try await CaddyServer()
    let fixture = try await Fixture(
      server, port: server.port, records: hasRecord ? [Self.record(Self.h2)] : [])
    let (report, line) = try await fixture.send()
    #expect(line == "HTTP/2.0" && report.http3 == .notAdvertised)
    // The response has advertised it by Alt-Svc.
    #expect(try await fixture.send().report.http3 == .used)
  }

  @Test(
    "L3: A record for a server that speaks no HTTP/3 costs no error, and the next request does not try it")
  func onlyTCP() async throws {
    let server = try await CaddyServer(advertisement: "clear")
    let fixture = try await Fixture(server, port: server.tcpPort, records: [Self.record(Self.h3)])
    let first = try await fixture.send()
    #expect(first.line == "HTTP/2.0" && first.report.http3 == .lostRace)
    let second = try await fixture.send().report
    #expect(second.version == .http2)
    guard case .broken(let pause) = second.http3 else {
      Issue.record("HTTP/3 was \(second.http3?.description ?? "not reported")")
      return
    }
    #expect(pause > .seconds(290))
  }

  @Test("The addresses of the table are used over HTTP/3 once a response has advertised it")
  func table() async throws {
    let server = try await CaddyServer()
    let authority = "\(CertificateSet.name):\(server.port)"
    let bypass = DNSBypassInterceptor(
      try AddressTable([authority: ["127.0.0.1"]], allowing: [.loopback]), prober: nil)
    let dispatcher = CurlDispatcher(
      configuration: .init(tls: TLSPolicy(authorityFile: server.certificates.authorityFile)))
    let pipeline = try Pipeline(over: dispatcher) { bypass }
    for version in [TransportReport.HTTPVersion.http2, .http3, .http3] {
      let response = try await pipeline.send(Request(authority: authority, path: "/echo"))
      let report = try #require(response.exchange.transport)
      #expect(report.version == version && report.remoteAddress == "127.0.0.1:\(server.port)")
    }
  }
}
