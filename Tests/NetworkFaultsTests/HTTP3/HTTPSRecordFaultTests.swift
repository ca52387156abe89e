#if os(Linux)
import CurlTransport
import DNSBypass
import HTTPTypes
import Interception
import LoopbackServing
import NetworkFaults
import SwitchyardTesting
import Testing

/// Names whose HTTPS records advertise HTTP/3, in networks where it can't be used.
@Suite(
  "L3: HTTPS records in networks that fail", .serialized, .timeLimit(.minutes(5)),
  .enabled(if: HTTP3Client.isSupported, "it needs a libcurl with HTTP/3, such as 8.23"),
  .enabled("Run Scripts/install-dependencies --http3, as root with iproute2.") {
    await HTTP3FaultServer.isAvailable()
  })
struct HTTPSRecordFaultTests {
  @Test(
    "L3: The first request tries HTTP/3 at the resolver's address, and ends over HTTP/2 where that fails",
    arguments: [FaultyNetwork.none, .dropped, .refused, .advertisedOnly])
  func networks(_ network: FaultyNetwork) async throws {
    let server = try await HTTP3FaultServer()
    let client = HTTP3Client(server, .whenAdvertised)
    let labels = CertificateSet.name.split(separator: ".")
    let target: [UInt8] = labels.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
    let names = try await HTTPSNameServer(
      [CertificateSet.name: [server.address]],
      services: [
        "_\(DelayLine.port)._https.\(CertificateSet.name)": [[0, 1] + target + [0, 1, 0, 3, 2, 0x68, 0x33]]
      ], server.line.certificates)
    let trusting = CurlDispatcher(
      configuration: .init(tls: TLSPolicy(authorityFile: server.line.certificates.authorityFile)))
    // The clock stands still, so that the record is waited for however slow the machine is.
    let time = TimeSource(TestClock())
    let resolver = try HTTPSNameResolver(
      names.url, over: trusting, allowing: Set(SpecialAddressRange.allCases), time: time)
    let bypass = DNSBypassInterceptor(.empty, resolver: resolver, isProbing: false, time: time)
    let pipeline = try Pipeline(over: client.dispatcher) { bypass }
    func send(_ path: String) async throws -> TransportReport {
      let response = try await pipeline.send(Request(authority: server.authority, path: path))
      #expect(response.status == .ok)
      _ = try await response.body.collect(upTo: 1 << 20)
      return try #require(response.exchange.transport)
    }

    try await network.begin(at: server)
    let first = try await send("/first")
    #expect(network.versions.contains(try #require(first.version)))
    #expect(first.http3 == (first.version == .http3 ? .used : .lostRace))
    #expect(first.remoteAddress == "\(server.address):\(DelayLine.port)")
    let datagrams = try await client.datagrams()
    #expect(datagrams > 0)
    let second = try await send("/second")
    if first.version == .http2 {
      guard case .broken = second.http3 else {
        Issue.record("HTTP/3 was tried again: \(String(describing: second.http3))")
        return
      }
      #expect(try await client.datagrams() == datagrams)
    } else {
      #expect(second.http3 == .used)
    }
    #expect(try server.received.map(\.path) == ["/first", "/second"])

    // In the next network the record, which is asked for again, chooses HTTP/3 anew.
    try await FaultyNetwork.end(at: server)
    client.dispatcher.networkDidChange()
    bypass.networkDidChange()
    #expect(try await send("/again").http3 == .used)
  }
}
#endif
