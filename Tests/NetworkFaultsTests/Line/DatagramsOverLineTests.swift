#if os(Linux)
import CommandRunning
import Foundation
import LoopbackServing
import NetworkFaults
import Testing

/// What the delay line does to UDP; the tests of the DNS bypass see what it does to TCP.
@Suite(
  "Datagrams over a delay line", .serialized, .timeLimit(.minutes(5)),
  .enabled("Network namespaces and tunnels can't be made here; they require root, iproute2 and python3.") {
    await DelayLine.isAvailable()
  })
struct DatagramsOverLineTests {
  private struct Echoes: Decodable {
    let returned: [Int]
    let first: Double?
    let last: Double?
    let errors: [String]
  }

  private static let script = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "datagram-echo.py").path

  private func line() async throws -> DelayLine {
    try await DelayLine { _ in [HTTPBinServer.python, Self.script, "serve"] }
  }

  private func send(_ count: Int, length: Int = 100, to line: DelayLine) async throws -> Echoes {
    let outcome = try await Command(
      HTTPBinServer.python, Self.script, line.numericAddress(2), "\(count)", "\(length)"
    ).run()
    try #require(outcome.status == 0, "\(outcome)")
    return try JSONDecoder().decode(Echoes.self, from: Data(outcome.bytes))
  }

  @Test("A datagram returns after the round trip, and all of them do")
  func delay() async throws {
    let line = try await line()
    #expect(try await send(50, to: line).returned == Array(0..<50))
    try await line.delay(2, .udp, milliseconds: 200)
    let echoes = try await send(50, to: line)
    #expect(echoes.returned.sorted() == Array(0..<50))
    #expect(try #require(echoes.first) >= 200)
  }

  @Test("The same datagrams are lost in each run, and about the share that is set")
  func loss() async throws {
    var runs: [[Int]] = []
    for _ in 1...2 {
      let line = try await line()
      try await line.lose(2, .udp, share: 0.3)
      runs.append(try await send(200, to: line).returned)
    }
    #expect(runs[0] == runs[1])
    // Each way loses three tenths, so that about 98 return.
    #expect((60...140).contains(runs[0].count))
  }

  @Test("Datagrams that a rule for TCP concerns pass")
  func protocols() async throws {
    let line = try await line()
    try await line.drop(2, .tcp)
    try await line.limit(2, .tcp, packetLength: 60)
    #expect(try await send(5, to: line).returned.count == 5)
    try await line.drop(2, .udp)
    #expect(try await send(1, to: line).returned.isEmpty)
    try await line.restore(2)
    #expect(try await send(5, to: line).returned.count == 5)
  }

  @Test(
    "A refusal by ICMP reaches the socket as the error of its code",
    arguments: [(DelayLine.Refusal.port, "ECONNREFUSED"), (.administration, "EHOSTUNREACH")])
  func refusal(_ refusal: DelayLine.Refusal, error: String) async throws {
    let line = try await line()
    try await line.refuse(2, .udp, by: refusal)
    let echoes = try await send(3, to: line)
    #expect(echoes.returned.isEmpty)
    #expect(echoes.errors == [error])
  }

  @Test("Longer packets than the line takes are refused as by a router, and shorter ones pass")
  func packetLength() async throws {
    let line = try await line()
    try await line.limit(2, packetLength: 1_200)
    // 28 bytes are the heads of IP and UDP.
    #expect(try await send(3, length: 1_172, to: line).returned == [0, 1, 2])
    let long = try await send(3, length: 1_173, to: line)
    #expect(long.returned.isEmpty)
    #expect(long.errors == ["EMSGSIZE"])
  }

  @Test("A rate delays datagrams by their lengths, and drops those that would wait too long")
  func rate() async throws {
    let line = try await line()
    try await line.limit(2, .udp, bytesPerSecond: 10_000)
    // 5 · 1,028 bytes take 514 ms.
    let few = try await send(5, length: 1_000, to: line)
    #expect(few.returned == Array(0..<5))
    #expect(try #require(few.last) >= 500)
    // What waits at most half a second is about six of them, and one passes each 103 ms meanwhile.
    let many = try await send(40, length: 1_000, to: line)
    #expect((5..<30).contains(many.returned.count))
  }
}
#endif
