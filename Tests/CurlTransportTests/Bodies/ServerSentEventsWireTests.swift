import BodyFormats
import CurlTransport
import HTTPTypes
import Interception
import LoopbackServing
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
