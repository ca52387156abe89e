#if os(Linux)
import CommandRunning
import CurlTransport
import Foundation
import HTTPTypes
import Interception
import LoopbackServing
import NetworkFaults
import RequestRetry
import Testing

/// HTTP/3 in networks that drop, refuse, lose or shorten its datagrams, and with servers that are wrong.
///
/// What was received, and how often, is what the server has logged; whether HTTP/3 was tried is what the line
/// has counted.
@Suite(
  "L2: HTTP/3 in networks that fail", .serialized, .timeLimit(.minutes(5)),
  .enabled(if: HTTP3Client.isSupported, "it needs a libcurl with HTTP/3, such as 8.23"),
  .enabled("Run Scripts/install-dependencies --http3, as root with iproute2.") {
    await HTTP3FaultServer.isAvailable()
  })
struct HTTP3FallbackTests {
  // What a request takes besides the head start that HTTP/3 has: far more than here, where it is 100 ms.
  private static let limit = HTTP3Client.headStart + .seconds(5)

  @Test(
    "L2: A request ends and is received once, what failed is not tried again, and is after a network change",
    arguments: FaultyNetwork.allCases)
  func networks(_ network: FaultyNetwork) async throws {
    let server = try await HTTP3FaultServer()
    let client = HTTP3Client(server, .first)
    try await network.begin(at: server)
    let get = try await client.send("/bytes/20000")
    let datagrams = try await client.datagrams()
    #expect(datagrams > 0)
    let post = try await client.send("/post", posting: "once")
    for outcome in [get, post] {
      #expect(outcome.status == .ok)
      #expect(network.versions.contains(try #require(outcome.report.version)))
      #expect(outcome.firstByte < Self.limit)
    }
    #expect(get.length == 20_000)
    if get.report.version == .http2 {
      #expect(get.report.http3 == .lostRace)
      guard case .broken(let pause) = post.report.http3 else {
        Issue.record("HTTP/3 was tried again: \(String(describing: post.report.http3))")
        return
      }
      #expect(pause > .seconds(60))
      #expect(try await client.datagrams() == datagrams)
    }
    #expect(try server.received.map(\.path) == ["/bytes/20000", "/post"])
    #expect(try server.received.map(\.length) == [0, 4])

    try await FaultyNetwork.end(at: server)
    client.dispatcher.networkDidChange()
    #expect(try await client.send("/again").report.version == .http3)
  }

  @Test(
    "L2: An advertisement costs a request no error where HTTP/3 can't be used",
    arguments: [
      FaultyNetwork.none, .dropped, .refused, .shortPackets, .advertisedOnly, .version, .certificate,
    ])
  func advertised(_ network: FaultyNetwork) async throws {
    let server = try await HTTP3FaultServer()
    let client = HTTP3Client(server, .whenAdvertised)
    let first = try await client.send("/first")
    #expect(first.report.version == .http2)
    #expect(first.report.http3 == .notAdvertised)
    #expect(try await client.datagrams() == 0)
    try await network.begin(at: server)
    let second = try await client.send("/second", posting: "once")
    #expect(network.versions.contains(try #require(second.report.version)))
    #expect(second.report.http3 == (second.report.version == .http3 ? .used : .lostRace))
    let datagrams = try await client.datagrams()
    #expect(datagrams > 0)
    let third = try await client.send("/third")
    #expect(third.report.version == second.report.version)
    if third.report.version == .http2 { #expect(try await client.datagrams() == datagrams) }
    #expect(try server.received.map(\.path) == ["/first", "/second", "/third"])

    try await FaultyNetwork.end(at: server)
    client.dispatcher.networkDidChange()
    // The advertisement is forgotten too, so that another one precedes HTTP/3.
    #expect(try await client.send("/again").report.http3 == .notAdvertised)
    #expect(try await client.send("/again").report.version == .http3)
  }

  // MARK: Connections that end

  @Test("L2: A stateless reset within a response is an error, after which HTTP/2 carries requests")
  func resetWithinResponse() async throws {
    let server = try await HTTP3FaultServer(.reset)
    let client = HTTP3Client(server, .first)
    let error = try #require(await client.failure("/bytes/200000"))
    #expect(error.kind == .transport)
    #expect(error.requestMayHaveBeenProcessed)
    #expect(try server.received.map(\.path) == ["/bytes/200000"])
    let next = try await client.send("/bytes/200000")
    #expect(next.report.version == .http2)
    #expect(next.length == 200_000)
  }

  @Test(
    "L2: A POST whose response a stateless reset replaces is not sent again, on a new connection or a used one",
    arguments: [false, true])
  func lostPost(isConnected: Bool) async throws {
    let server = try await HTTP3FaultServer(.reset)
    let client = HTTP3Client(server, .first)
    if isConnected { #expect(try await client.send("/warm").report.version == .http3) }
    let pipeline = try Pipeline(over: client.dispatcher) { RetryInterceptor() }
    let request = client.request("/lost", posting: "once")
    let error = await #expect(throws: NetworkError.self) { try await pipeline.send(request) }
    #expect(error?.kind == .transport)
    #expect(error?.requestMayHaveBeenProcessed == true)
    #expect(try server.received.filter { $0.method == "POST" }.map(\.version) == ["h3"])
  }

  @Test(
    "L2: A GET whose response a stateless reset replaces is repeated over HTTP/2", arguments: [false, true])
  func lostGet(isConnected: Bool) async throws {
    let server = try await HTTP3FaultServer(.reset)
    let client = HTTP3Client(server, .first)
    if isConnected { #expect(try await client.send("/warm").report.version == .http3) }
    #expect(await client.failure("/lost")?.kind == .transport)
    let repeated = try await client.send("/lost")
    #expect(repeated.status == .ok)
    #expect(repeated.report.version == .http2)
    #expect(try server.received.last?.version == "h2")
  }

  @Test("L2: After GOAWAY a GET is sent over another connection")
  func getAfterGoAway() async throws {
    let server = try await HTTP3FaultServer(.goaway)
    let client = HTTP3Client(server, .first)
    for path in ["/first", "/second", "/third"] { #expect(try await client.send(path).status == .ok) }
    #expect(try server.received.filter { $0.length != nil }.map(\.path) == ["/first", "/second", "/third"])
  }

  @Test("L2: After GOAWAY a POST is sent over another connection, once")
  func postAfterGoAway() async throws {
    let server = try await HTTP3FaultServer(.goaway)
    let client = HTTP3Client(server, .first)
    #expect(try await client.send("/first").status == .ok)
    #expect(try await client.send("/post", posting: "once").status == .ok)
    #expect(try server.received.filter { $0.method == "POST" && $0.length != nil }.map(\.length) == [4])
    #expect(try await client.send("/last").status == .ok)
  }

  @Test("L2: Requests that GOAWAY refuses are sent again, and each is processed once")
  func goAwayBesideRequests() async throws {
    let server = try await HTTP3FaultServer(.goaway)
    let client = HTTP3Client(server, .first)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...5 {
        group.addTask { try await client.send("/get/\(number)") }
        group.addTask { try await client.send("/post/\(number)", posting: "once") }
      }
      try await group.waitForAll()
    }
    let received = try server.received
    #expect(received.contains { $0.length == nil })
    #expect(
      received.filter { $0.length != nil }.map(\.path).sorted()
        == ["/get/", "/post/"].flatMap { path in (1...5).map { "\(path)\($0)" } })
  }

  @Test("L2: When the path of a connection dies, its request times out, and the next one goes over HTTP/2")
  func deadPath() async throws {
    let server = try await HTTP3FaultServer()
    let client = HTTP3Client(server, .first)
    #expect(try await client.send("/warm").report.version == .http3)
    try await server.line.drop(HTTP3FaultServer.host, .udp)
    let error = await client.failure("/post", posting: "once") { $0.firstByte = .seconds(1) }
    #expect(error?.kind == .timeout(.firstByte))
    #expect(error?.requestMayHaveBeenProcessed == true)
    let next = try await client.send("/next")
    #expect(next.report.version == .http2)
    #expect(try server.received.map(\.path) == ["/warm", "/next"])
  }

  @Test("L2: A connection of HTTP/3 that becomes slow carries its response to the end")
  func slowPath() async throws {
    let server = try await HTTP3FaultServer()
    let client = HTTP3Client(server, .first)
    #expect(try await client.send("/warm").report.version == .http3)
    try await server.line.limit(HTTP3FaultServer.host, .udp, bytesPerSecond: 20_000)
    let slow = try await client.send("/bytes/60000")
    #expect(slow.report.version == .http3)
    #expect(slow.length == 60_000)
    #expect(try server.received.map(\.path) == ["/warm", "/bytes/60000"])
  }

  // MARK: Certificates

  // An alternative without a valid certificate of the origin is not used, and the origin is (RFC 7838, 2.1).
  @Test("L2: A key that is not pinned, over HTTP/3 alone, leaves the request to HTTP/2")
  func pins() async throws {
    let server = try await HTTP3FaultServer(.certificate)
    let certificates = server.line.certificates
    let folder = try TemporaryFolder(prefix: "authorities")
    let authorities = folder.url.appending(path: "both.pem")
    let files = [certificates.authorityFile, certificates.certificate(.selfSigned)]
    try Data(files.flatMap { try Data(contentsOf: URL(filePath: $0)) }).write(to: authorities)
    let pins = try PublicKeyPins([
      CertificateSet.name: [
        try await certificates.pin(.good), "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
      ]
    ])
    let trusting = HTTP3Client(server, .first, tls: TLSPolicy(authorityFile: authorities.path))
    #expect(try await trusting.send("/trusted").report.version == .http3)
    let pinning = HTTP3Client(server, .first, tls: TLSPolicy(authorityFile: authorities.path, pins: pins))
    #expect(try await pinning.send("/pinned").report.version == .http2)
    #expect(try server.received.map(\.path) == ["/trusted", "/pinned"])
  }

  @Test("L2: A certificate that is wrong over HTTP/2 as well is an error, and nothing is sent")
  func noValidCertificate() async throws {
    let server = try await HTTP3FaultServer(.certificate, certificate: .selfSigned)
    let error = await HTTP3Client(server, .first).failure("/")
    #expect(error?.kind == .tls(.untrusted))
    #expect(error?.requestMayHaveBeenProcessed == false)
    #expect(try server.received.isEmpty)
  }
}
#endif
