import LoopbackServing
import Testing

@testable import CurlTransport

@Suite(
  .timeLimit(.minutes(5)), .enabled(if: PollerBench.isWatching, "no socket is watched on this system"))
struct PollerTests {
  @Test func `a connection that was left at rest is claimed once`() async throws {
    let server = try ScriptedServer(raw: Self.answer)
    let bench = try PollerBench(server.port)
    let member = try bench.member()
    #expect(!bench.poller.claimRest(member))
    try await bench.exchange(member)
    #expect(bench.poller.claimRest(member))
    #expect(!bench.poller.claimRest(member))
  }

  @Test func `a connection that ended at rest is not claimed`() async throws {
    let gate = Gate()
    let server = try ScriptedServer(raw: { _, wire in
      try wire.send(Self.noContent)
      gate.wait()
    })
    let bench = try PollerBench(server.port)
    let member = try bench.member()
    try await bench.exchange(member)
    gate.open()
    // The end is the only news that can come.
    while !bench.multi.wait(milliseconds: 0) {
      try Task.checkCancellation()
      await Task.yield()
    }
    bench.multi.advance(added: 0)
    #expect(!bench.poller.claimRest(member))
  }

  @Test func `a connection that another handle used since is claimed by that one alone`() async throws {
    let gate = Gate()
    let server = try ScriptedServer(raw: { request, wire in
      if request.target == "/second" { gate.wait() }
      try Self.answer(request, wire)
    })
    let bench = try PollerBench(server.port)
    let (first, second) = (try bench.member(), try bench.member())
    try await bench.exchange(first)
    // It must wait for its answer: libcurl tells of no socket that it didn't wait for.
    try await bench.exchange(second, path: "/second") { gate.open() }
    #expect(server.counts.accepted == 1)
    #expect(!bench.poller.claimRest(first))
    #expect(bench.poller.claimRest(second))
  }

  private static let noContent = "HTTP/1.1 204 No Content\r\n\r\n"

  private static let answer: ScriptedServer.RawScript = { _, wire in
    try wire.send(noContent)
    wire.stayOpen()
  }
}
