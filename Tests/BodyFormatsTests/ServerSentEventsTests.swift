import BodyFormats
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite("The events of a response")
struct ServerSentEventsTests {
  private func response(_ body: ResponseBody, type: String? = "text/event-stream") -> Response {
    var fields = HTTPFields()
    fields[.contentType] = type
    return Response(HTTPResponse(status: .ok, headerFields: fields), body: body)
  }

  @Test("Events are delivered one by one and update the ID to continue after")
  func events() async throws {
    let source = ScriptedByteSource(
      ["id: 1\nda", "ta: a\n", "\nretry: 9\nid: 2\ndata: b\n\n", "id: 3\ndata: lost"].map { Array($0.utf8) })
    let answer = response(.stream(BodyStream(length: nil, source)), type: "Text/Event-Stream ;charset=utf-8")
    let events = try ServerSentEvents(answer, lastEventID: "0")
    #expect(events.lastEventID == "0" && events.retry == nil)
    var iterator = events.makeAsyncIterator()
    #expect(try await iterator.next()?.data == "a")
    #expect(events.lastEventID == "1" && events.retry == nil && source.reads == 3)
    #expect(try await iterator.next()?.data == "b")
    #expect(events.lastEventID == "2" && events.retry == .milliseconds(9) && source.reads == 3)
    #expect(try await iterator.next() == nil)
    #expect(try await iterator.next() == nil)
    #expect(events.lastEventID == "2")
  }

  @Test("Events are read from a buffered response too")
  func buffered() async throws {
    var data: [String] = []
    for try await event in try ServerSentEvents(response(.bytes(Array("data: a\n\ndata: b\n\n".utf8)))) {
      data.append(event.data)
    }
    #expect(data == ["a", "b"])
  }

  @Test(
    "A response with another status or content type, or in a coding, is refused", arguments: [204, 301, 500])
  func refused(code: Int) {
    let status = Response(HTTPResponse(status: .init(code: code)))
    #expect(throws: NetworkError.self) { try ServerSentEvents(status) }
    for type in [nil, "text/html", "text/event-streams"] {
      let error = #expect(throws: NetworkError.self) {
        try ServerSentEvents(response(.empty, type: type))
      }
      #expect(error?.kind == .rejected)
    }
    var coded = response(.bytes([0x1F, 0x8B]))
    coded.head.headerFields[.contentEncoding] = "gzip"
    let error = #expect(throws: NetworkError.self) { try ServerSentEvents(coded) }
    #expect(error?.reason.contains("product BodyCompression") == true)
  }

  @Test(
    "Of several content types the last valid one counts",
    arguments: [
      (["text/event-stream", "text/event-stream"], true), (["text/plain", "text/event-stream"], true),
      (["text/event-stream", ""], true), (["text/event-stream", "x"], true),
      (["text/event-stream; charset=utf-8, text/html"], false), (["text/event-stream", "text/html"], false),
    ])
  func severalTypes(types: [String], isStream: Bool) throws {
    var several = response(.empty, type: nil)
    several.head.headerFields[values: .contentType] = types
    #expect(((try? ServerSentEvents(several)) != nil) == isStream)
  }

  @Test("A broken stream ends with its error after the preceding events, and a released one is cancelled")
  func broken() async throws {
    let source = ScriptedByteSource(
      [Array("data: a\n\n".utf8)], endingWith: NetworkError(.transport, "reset"))
    var iterator = ServerSentEvents(BodyStream(length: nil, source)).makeAsyncIterator()
    #expect(try await iterator.next()?.data == "a")
    do {
      _ = try await iterator.next()
      Issue.record("The stream's error was lost.")
    } catch {
      #expect(error.kind == .transport)
    }
    #expect(try await iterator.next() == nil)

    let dropped = ScriptedByteSource([Array("data: a\n\n".utf8), [1]])
    func readOne() async throws {
      for try await _ in ServerSentEvents(BodyStream(length: nil, dropped)) { break }
    }
    try await readOne()
    #expect(dropped.isCancelled)
  }

  @Test("A request for events is streamed, is not cached, and names the last event")
  func asking() throws {
    let request = Request(authority: "a.example", path: "/events")
    let first = try request.askingForEvents()
    #expect(first.head.headerFields[.accept] == "text/event-stream")
    #expect(first.options.delivery == .streamed && first.options.timeouts.whole == nil)
    #expect(first.options.timeouts.idle == nil)
    #expect(first.head.headerFields.contains { $0.name.canonicalName == "last-event-id" } == false)
    let next = try first.askingForEvents(after: "42")
    let names = next.head.headerFields.filter { $0.name.canonicalName == "last-event-id" }
    #expect(names.map(\.value) == ["42"])
  }

  @Test("An ID that no event can have is refused", arguments: ["4\r\n2", "4\n", "\r", "4\02"])
  func illegalIdentity(_ identity: String) {
    let request = Request(authority: "a.example", path: "/events")
    let error = #expect(throws: NetworkError.self) { try request.askingForEvents(after: identity) }
    #expect(error?.kind == .invalidRequest)
  }
}
