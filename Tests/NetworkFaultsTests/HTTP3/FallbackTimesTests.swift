#if os(Linux)
import CurlTransport
import Foundation
import Interception
import NetworkFaults
import Testing

/// The times that the article *HTTP versions* shows.
///
/// SWITCHYARD_FALLBACK_ROUNDS sets the number of rounds that are measured, and lets the table be printed.
@Suite(
  "L2: Times of fallbacks", .serialized, .timeLimit(.minutes(5)),
  .enabled(if: HTTP3Client.isSupported, "it needs a libcurl with HTTP/3, such as 8.23"),
  .enabled("Run Scripts/install-dependencies --http3, as root with iproute2.") {
    await HTTP3FaultServer.isAvailable()
  })
struct FallbackTimesTests {
  private struct Times {
    var http2: [Duration] = []
    var first: [Duration] = []
    var next: [Duration] = []
    var versions: Set<TransportReport.HTTPVersion> = []
  }

  private static let rounds = ProcessInfo.processInfo.environment["SWITCHYARD_FALLBACK_ROUNDS"].flatMap {
    Int($0)
  }

  @Test("L2: With the default head start a fallback takes a few seconds at most")
  func times() async throws {
    var rows = ["| Network | Version | HTTP/2 | First request | Next |", "| --- | --- | --- | --- | --- |"]
    for network in FaultyNetwork.allCases {
      let server = try await HTTP3FaultServer()
      try await network.begin(at: server)
      var times = Times()
      for _ in 0..<(Self.rounds ?? 1) { try await measure(server, &times) }
      let (first, http2) = (try #require(times.first.min()), try #require(times.http2.max()))
      // Far more than the head start, because a busy machine takes long for a handshake.
      #expect(first < http2 + .seconds(5))
      let versions = times.versions.map(\.rawValue).sorted().joined(separator: ", ")
      let columns = [times.http2, times.first, times.next].map(median)
      rows.append("| \(network.rawValue) | \(versions) | \(columns.joined(separator: " | ")) |")
    }
    if Self.rounds != nil { print(rows.joined(separator: "\n")) }
  }

  /// Sends a request without HTTP/3, and two with it, the second of which may reuse the connection.
  private func measure(_ server: HTTP3FaultServer, _ times: inout Times) async throws {
    let policy = ConnectionPolicy()
    times.http2.append(
      try await HTTP3Client(server, .off, headStart: policy.headStart).send("/bytes/1000").firstByte)
    let client = HTTP3Client(server, .first, headStart: policy.headStart)
    let first = try await client.send("/bytes/1000")
    times.first.append(first.firstByte)
    times.next.append(try await client.send("/bytes/1000").firstByte)
    first.report.version.map { _ = times.versions.insert($0) }
  }

  private func median(_ times: [Duration]) -> String {
    let time = times.sorted()[times.count / 2]
    return "\(Int((time / .milliseconds(1)).rounded())) ms"
  }
}
#endif
