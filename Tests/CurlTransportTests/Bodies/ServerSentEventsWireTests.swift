import BodyFormats
import CurlTransport
import HTTPTypes
import Interception
import LoopbackServing
import SwitchyardTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ServerSentEventsWireTests {
  let dispatcher = CurlDispatcher()

  @Test("Events are read as they come, and the connection ends with the reading")
  func live() async throws {
    let gates = [Gate(), Gate()]
    let server = try ScriptedServer(raw: { _, wire in
      try wire.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nretry: 250\nid: 1\ndata: fi")
      gates[0].wait()
      try wire.send("rst\r")
      gates[1].wait()
      try wire.send("\n\r\nid: 2\r\nevent: tide\r\ndata: second\r\n\r\n")
      wire.waitForClose()
    })
    func readTwo() async throws {
      let response = try await dispatcher.dispatch(Request.get(server).askingForEvents(after: "0"))
      let events = try ServerSentEvents(response, lastEventID: "0")
      var iterator = events.makeAsyncIterator()
      for gate in gates { gate.open() }
      #expect(try await iterator.next() == ServerSentEvent(data: "first", lastEventID: "1"))
      #expect(
        try await iterator.next() == ServerSentEvent(type: "tide", data: "second", lastEventID: "2"))
      #expect(events.retry == .milliseconds(250) && events.lastEventID == "2")
    }
    try await readTwo()
    try await server.wait { $0.closed == 1 }
    let seen = try #require(server.requests.first)
    #expect(seen.value(of: "Accept") == "text/event-stream")
    #expect(seen.value(of: "Last-Event-ID") == "0")
  }

  @Test(
    "A server that requests no wait gets requests at the pace of the policy, once it fails or ends each stream",
    arguments: [
      (200, "retry: 0\ndata: a\n\n", 503, "", [100, 3_000, 6_000, 12_000, 24_000]),
      (200, "retry: 0\ndata: a\n\n", 200, "data: a\n\n", [100, 100, 100, 100, 100]),
      (200, "retry: 0\n\n", 200, "", [3_000, 6_000, 12_000, 24_000, 48_000]),
      (503, "", 200, "retry: 0\ndata: a\n\n", [3_000, 100, 100]),
    ])
  func pace(
    _ first: Int, _ firstText: String, _ status: Int, _ text: String, _ floors: [Int]
  ) async throws {
    let count = Mutex(0)
    let server = try ScriptedServer { _ in
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      return ScriptedReply(
        status: isFirst ? first : status,
        fields: [("Content-Type", "text/event-stream"), ("Retry-After", "0")],
        body: Array((isFirst ? firstText : text).utf8))
    }
    let clock = TestClock()
    let events = ReconnectingEvents(over: dispatcher, time: TimeSource(clock)) { Request.get(server) }
    let reader = Task { for try await _ in events {} }
    for (index, floor) in floors.enumerated() {
      try await clock.waitForSleepers()
      #expect(server.requests.count == index + 1)
      clock.advance(by: .milliseconds(floor - 1))
      // It still sleeps; otherwise there would be a further request before the next sleep.
      try await clock.waitForSleepers()
      #expect(server.requests.count == index + 1)
      // The random part of a wait is at most half of it.
      clock.advance(by: .milliseconds(floor / 2 + 1))
      try await server.wait { $0.requests == index + 2 }
    }
    reader.cancel()
    _ = await reader.result
  }

  @Test("An endless event is refused in bounded memory")
  func endless() async throws {
    let server = try ScriptedServer(raw: { _, wire in
      try wire.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: ")
      while true { try wire.send([UInt8](repeating: 0x61, count: 64 << 10)) }
    })
    let answer = try await dispatcher.dispatch(Request.get(server).askingForEvents())
    let error = await failure { () throws(NetworkError) in
      for try await _ in try ServerSentEvents(answer, limit: 100_000) {}
    }
    #expect(error?.kind == .bodyTooLarge(limit: 100_000))
    try await server.wait { $0.closed == 1 }
  }
}
