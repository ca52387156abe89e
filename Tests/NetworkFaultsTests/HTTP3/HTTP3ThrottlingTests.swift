#if os(Linux)
import CurlTransport
import Interception
import NetworkFaults
import Testing

/// A line over which QUIC connects, and then carries nearly nothing (caddy#6641); TCP has no limit.
@Suite(
  "HTTP/3 that is throttled", .serialized, .timeLimit(.minutes(5)),
  .enabled(if: HTTP3Client.isSupported, "it needs a libcurl with HTTP/3, such as 8.23"),
  .enabled("Run Scripts/install-dependencies --http3, as root with iproute2.") {
    await HTTP3FaultServer.isAvailable()
  })
struct HTTP3ThrottlingTests {
  private struct NotStreamed: Error {}

  @Test("L2: While content is throttled the next requests go over HTTP/2 and say why, and the content ends")
  func throttling() async throws {
    let server = try await HTTP3FaultServer()
    let client = HTTP3Client(server, .whenAdvertised)
    let first = try await client.send("/bytes/1000000")
    #expect(first.report.version == .http2)
    #expect(try await client.send("/bytes/1000").report.version == .http3)
    try await server.line.limit(HTTP3FaultServer.host, .udp, bytesPerSecond: 50_000)

    var request = client.request("/bytes/500000")
    request.options.delivery = .streamed
    let response = try await client.dispatcher.dispatch(request)
    guard case .stream(let stream) = response.body else { throw NotStreamed() }
    var count = 0
    var next: HTTP3Client.Outcome?
    for try await chunk in stream {
      count += chunk.count
      // With what the line holds that is at least five and a half seconds after the head.
      if count > 350_000, next == nil { next = try await client.send("/bytes/1000") }
    }
    #expect(count == 500_000)
    #expect(stream.ending.transport?.http3 == .used)
    let report = try #require(next).report
    #expect(report.version == .http2)
    guard case .throttled(let pause) = report.http3 else {
      Issue.record("HTTP/3 was \(report.http3?.description ?? "not reported")")
      return
    }
    #expect(pause > .seconds(60))
    #expect(try server.received.map(\.version) == ["h2", "h3", "h3", "h2"])

    // Another network may not do so.
    try await server.restore()
    client.dispatcher.networkDidChange()
    #expect(try await client.send("/again").report.http3 == .notAdvertised)
    #expect(try await client.send("/again").report.version == .http3)
  }

  @Test("Without content over TCP to compare with, a slow line is used as it is")
  func withoutComparison() async throws {
    let server = try await HTTP3FaultServer()
    let client = HTTP3Client(server, .first)
    #expect(try await client.send("/warm").report.version == .http3)
    try await server.line.limit(HTTP3FaultServer.host, .udp, bytesPerSecond: 50_000)
    #expect(try await client.send("/bytes/350000").report.version == .http3)
    #expect(try await client.send("/next").report.http3 == .used)
  }
}
#endif
