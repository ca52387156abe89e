import CCurlShims
import CLibcurl
import Interception
import LoopbackServing
import Testing

@testable import CurlTransport

@Suite(.timeLimit(.minutes(1)))
struct PollerTests {
  @Test func `a connection that was left at rest is claimed once`() throws {
    let server = try ScriptedServer(raw: Self.answersTwice)
    let bench = try PollerBench(server.port)
    #expect(!bench.poller.claimRest(bench.member))
    try bench.exchange()
    #expect(bench.poller.claimRest(bench.member))
    #expect(!bench.poller.claimRest(bench.member))
  }

  @Test func `a connection that ended at rest is not claimed`() throws {
    let server = try ScriptedServer(raw: { _, wire in
      try wire.send("HTTP/1.1 204 No Content\r\n\r\n")
    })
    let bench = try PollerBench(server.port)
    try bench.exchange()
    // The first wait that finds something finds the end.
    while !bench.multi.wait(milliseconds: 100) {}
    bench.multi.advance(added: 0)
    #expect(!bench.poller.claimRest(bench.member))
  }

  @Test func `what one handle left is not claimed by another`() throws {
    let server = try ScriptedServer(raw: Self.answersTwice)
    let bench = try PollerBench(server.port)
    let other = try #require(HandlePool.Member())
    try bench.exchange()
    #expect(!bench.poller.claimRest(other))
    #expect(bench.poller.claimRest(bench.member))
  }

  private static let answersTwice: ScriptedServer.RawScript = { _, wire in
    try wire.send("HTTP/1.1 204 No Content\r\n\r\n")
    wire.stayOpen()
  }
}

/// A multi handle with one easy handle, and nobody else.
private struct PollerBench: ~Copyable {
  let multi: MultiHandle
  let stock: ConnectionStock
  let member: HandlePool.Member
  let port: Int

  var poller: Poller { multi.poller }

  init(_ port: Int) throws {
    let multi = try Self.multi()
    let poller = multi.poller
    let stock = try #require(ConnectionStock(poller))
    let member = try #require(HandlePool.Member())
    let state = member.state
    // Without the callbacks of a transfer, of which there is none.
    member.handle.setBasics = { handle in
      _ = switchyard_easy_set_pointer(handle.pointer, CURLOPT_PRIVATE, state)
      poller.watch(handle)
    }
    member.handle.reset()
    try member.attach(stock)
    (self.stock, self.member, self.port) = (stock, member, port)
    self.multi = multi
  }

  private static func multi() throws -> MultiHandle {
    guard let multi = MultiHandle(streams: 1, keptConnections: 4) else {
      throw CurlError(code: Int(CURLE_OUT_OF_MEMORY.rawValue), summary: "There is no memory.")
    }
    return multi
  }

  /// Sends a request and waits for its answer's end, as the loop does.
  func exchange() throws {
    member.begin()
    try member.handle.set(CURLOPT_URL, "http://127.0.0.1:\(port)/")
    try multi.add(member.handle)
    multi.advance(added: 1)
    var finished = multi.nextFinished()
    while finished == nil {
      multi.wait(milliseconds: 100)
      multi.advance(added: 0)
      finished = multi.nextFinished()
    }
    multi.remove(member.handle)
    #expect(finished?.code == CURLE_OK)
    poller.rest(member)
  }
}
