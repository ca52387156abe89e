#if os(Linux)
import CurlTransport
import HTTPTypes
import Interception
import LoopbackServing
import NetworkFaults
import SwitchyardTesting
import Synchronization
import Testing

@testable import DNSBypass

/// The bypass over addresses with different round trips, behind a line that delays packets.
///
/// Which address was used is what the server has seen. Where namespaces can't be made, `DNSBypassWireTests`
/// and `RacingTests` still have a silent address on the loopback interface.
@Suite(
  .serialized, .timeLimit(.minutes(5)),
  .enabled("Network namespaces and tunnels can't be made here; they require root, iproute2 and python3.") {
    await DelayLine.isAvailable()
  })
struct DelayLineTests {
  /// What the server has seen of a request.
  fileprivate struct Sight {
    let address: String
    let tlsName: String
    let host: String
  }

  /// A client of a line, with a clock that the test sets forward.
  fileprivate struct Client {
    let pipeline: Pipeline
    let bypass: DNSBypassInterceptor
    let clock = ForwardedClock()

    init(_ line: DelayLine, _ hosts: [Int], prober: AddressProber? = nil) throws {
      let table = try AddressTable(
        [CertificateSet.name: hosts.map { line.address($0) }], allowing: Set(SpecialAddressRange.allCases))
      let bypass = DNSBypassInterceptor(table, prober: prober, time: TimeSource(clock))
      let trusted = TLSPolicy(authorityFile: line.certificates.authorityFile)
      pipeline = try Pipeline(over: CurlDispatcher(configuration: .init(tls: trusted))) { bypass }
      self.bypass = bypass
    }

    /// Sends a request; returns what the server has seen, and the last number of the address.
    fileprivate func send(
      _ limit: (inout RequestOptions.Timeouts) -> Void = { _ in }
    ) async throws -> (Sight, host: Int) {
      var request = Request(authority: CertificateSet.name, path: "/")
      limit(&request.options.timeouts)
      let response = try await pipeline.send(request)
      let text = String(decoding: try await response.body.collect(upTo: 999), as: UTF8.self)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      try #require(lines.count == 4)
      let host = try #require(lines[0].split(separator: ".").last.flatMap { Int($0) })
      return (Sight(address: lines[0], tlsName: lines[1], host: lines[2]), host)
    }
  }

  @Test("E8: After probes the fastest address is chosen, and another one when the network has changed")
  func probing() async throws {
    let line = try await DelayLine.toAddresses()
    try await line.drop(4)
    try await line.delay(3, milliseconds: 80)
    try await line.delay(2, milliseconds: 10)
    let probes = ProbeCount()
    let client = try Client(line, [4, 3, 2], prober: probes.prober)
    client.bypass.probeAll()
    try await probes.wait(for: 3)
    // The results are recorded together, soon after the last one.
    try await waitUntil("two addresses are measured") { client.measured == [false, true, true] }
    #expect(try await client.send().host == 2)
    try await line.delay(3, milliseconds: 10)
    try await line.delay(2, milliseconds: 200)
    client.bypass.networkDidChange()
    try await probes.wait(for: 6)
    try await waitUntil("the delay is measured") {
      try #require(client.connectTimes[2]) >= .milliseconds(100)
    }
    #expect(try await client.send().host == 3)
  }

  @Test(
    "E8: A dead first address is overtaken by the next one, and the server sees the name in TLS and Host")
  func silentAddress() async throws {
    let line = try await DelayLine.toAddresses()
    try await line.drop(4)
    try await line.delay(2, milliseconds: 10)
    let client = try Client(line, [4, 2])
    let start = ContinuousClock.now
    // The first attempt could only end after the whole limit, which ends the request.
    let (sight, host) = try await client.send {
      $0.connect = nil
      $0.whole = .seconds(100)
    }
    #expect(ContinuousClock.now - start >= .milliseconds(250))
    #expect(host == 2)
    #expect(sight.tlsName == CertificateSet.name)
    #expect(sight.host == CertificateSet.name)
    // At least the round trip.
    #expect(try #require(client.connectTimes[1]) >= .milliseconds(10))
    #expect(client.bypass.statuses(of: CertificateSet.name).map(\.failures) == [1, 0])
  }

  @Test("E8: When the fastest address dies the next one is used, and the fastest again when it is back")
  func failover() async throws {
    let line = try await DelayLine.toAddresses()
    try await line.delay(2, milliseconds: 10)
    try await line.delay(3, milliseconds: 80)
    let client = try Client(line, [2, 3])
    #expect(try await client.send().host == 2)
    try await line.drop(2)
    #expect(try await client.send().host == 3)
    #expect(try await client.send().host == 3)
    try await line.delay(2, milliseconds: 10)
    client.clock.advance(by: .seconds(31))
    for _ in 1...3 { _ = try await client.send() }
    #expect(try await client.send().host == 2)
  }

  @Test("E8: A round trip that flaps by a few milliseconds doesn't change the choice")
  func flapping() async throws {
    let line = try await DelayLine.toAddresses()
    let probes = ProbeCount()
    let client = try Client(line, [2, 3], prober: probes.prober)
    for round in 1...6 {
      let isEven = round.isMultiple(of: 2)
      // So long that what a busy machine adds is less than the 15 % that would change the choice, and
      // shorter than the delay after which the second address is tried, too.
      try await line.delay(2, milliseconds: isEven ? 200 : 208)
      try await line.delay(3, milliseconds: isEven ? 208 : 200)
      #expect(try await client.send().host == 2)
      // The probe's own request doesn't wait for it.
      try await probes.wait(for: round * 2)
      client.clock.advance(by: .seconds(301))
    }
  }

  @Test("E8: Requests over an address that loses a tenth of its packets succeed")
  func loss() async throws {
    let line = try await DelayLine.toAddresses()
    try await line.delay(2, milliseconds: 10)
    try await line.lose(2, share: 0.1)
    try await line.delay(3, milliseconds: 20)
    let client = try Client(line, [2, 3])
    for _ in 1...20 { _ = try await client.send() }
  }
}

extension DelayLineTests.Client {
  /// The connect times of the addresses, in the table's order.
  fileprivate var connectTimes: [Duration?] {
    bypass.statuses(of: CertificateSet.name).map(\.connectTime)
  }

  fileprivate var measured: [Bool] { connectTimes.map { $0 != nil } }
}

/// The TCP prober, and how many of its probes have ended.
private struct ProbeCount {
  private let ended = WaitableValue(0)

  var prober: AddressProber {
    AddressProber { [ended] target in
      defer { ended.update { $0 += 1 } }
      return try await SocketProbe(target).connectTime()
    }
  }

  func wait(for count: Int) async throws { try await ended.wait { $0 >= count } }
}

/// The continuous clock, which a test can set forward.
private final class ForwardedClock: Clock {
  private let offset = Mutex(Duration.zero)

  var now: ContinuousClock.Instant { ContinuousClock.now + offset.withLock { $0 } }
  var minimumResolution: Duration { .nanoseconds(1) }

  func advance(by duration: Duration) { offset.withLock { $0 += duration } }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    let end = deadline - offset.withLock { $0 }
    try await ContinuousClock().sleep(until: end, tolerance: tolerance)  // clock: real packets are delayed
  }
}
#endif
