import BodyFormats
import Interception
import SwitchyardTesting
import Testing

@Suite("The parser of server-sent events")
struct ServerSentEventParserTests {
  /// The result of parsing a whole stream.
  struct Reading: Equatable {
    var events: [ServerSentEvent] = []
    var lastEventID = ""
    var retry: Duration?
    var failed = false
  }

  static func read(_ chunks: [[UInt8]], limit: Int = ServerSentEventParser.defaultLimit) -> Reading {
    var reading = Reading()
    var parser = ServerSentEventParser(limit: limit)
    do {
      for chunk in chunks {
        parser.append(chunk)
        while let event = try parser.next() { reading.events.append(event) }
      }
    } catch {
      reading.failed = error.kind == .bodyTooLarge(limit: Int64(limit))
    }
    reading.lastEventID = parser.lastEventID
    reading.retry = parser.retry
    return reading
  }

  static func read(_ text: String) -> Reading { read([Array(text.utf8)]) }

  @Test(
    "The examples of the standard and the edge cases of its rules are parsed",
    arguments: [
      ("data: a\ndata: b\n\n", [ServerSentEvent(data: "a\nb")]),
      ("data: a\r\ndata: b\r\r\n", [ServerSentEvent(data: "a\nb")]),
      ("\u{FEFF}data: a\n\n", [ServerSentEvent(data: "a")]),
      ("\u{FEFF}\u{FEFF}data: a\n\n", []),
      ("\n\u{FEFF}data: a\n\n", []),
      (": a comment\n\ndata: a\n:\n\n", [ServerSentEvent(data: "a")]),
      ("data\n\ndata\ndata\n\ndata:", [ServerSentEvent(data: ""), ServerSentEvent(data: "\n")]),
      ("data:test\n\ndata: test\n\n", [ServerSentEvent(data: "test"), ServerSentEvent(data: "test")]),
      ("data:  two\n\n", [ServerSentEvent(data: " two")]),
      ("data: a: b\n\n", [ServerSentEvent(data: "a: b")]),
      (
        "event: add\ndata: 1\n\ndata: 2\n\n",
        [ServerSentEvent(type: "add", data: "1"), ServerSentEvent(data: "2")]
      ),
      ("event: add\n\ndata: 1\n\n", [ServerSentEvent(data: "1")]),
      ("event: a\nevent:\ndata: 1\n\n", [ServerSentEvent(data: "1")]),
      ("Data: a\n\n data: b\n\nother: c\n\n", []),
      ("data: never ended\n", []),
      ("data: a\u{0}b\n\n", [ServerSentEvent(data: "a\u{0}b")]),
    ] as [(String, [ServerSentEvent])])
  func rules(text: String, events: [ServerSentEvent]) {
    #expect(Self.read(text).events == events)
  }

  @Test("An ID applies until another one arrives, and one with a null byte is ignored")
  func identities() {
    let reading = Self.read("id: 1\ndata: a\n\ndata: b\n\nid: 2\u{0}\ndata: c\n\nid\ndata: d\n\nid: 9\n")
    #expect(reading.events.map(\.lastEventID) == ["1", "1", "1", ""])
    #expect(reading.lastEventID == "")
    // Without data there is no event, but the ID still takes effect.
    #expect(Self.read("id: 7\n\n") == Reading(lastEventID: "7"))
    #expect(Self.read("id: 7\n") == Reading(lastEventID: ""))
  }

  @Test(
    "A reconnection time consists only of digits",
    arguments: [
      ("retry: 1500\n", .milliseconds(1500)), ("retry: -1\n", nil), ("retry: 1.5\n", nil), ("retry:\n", nil),
      ("retry: 10\nretry: x\n", .milliseconds(10)), ("retry: ١\n", nil),
      ("retry: 99999999999999999999\n", .milliseconds(3_155_760_000_000)),
    ] as [(String, Duration?)])
  func retry(text: String, pause: Duration?) {
    #expect(Self.read(text).retry == pause)
  }

  @Test("Bytes that are not valid UTF-8 are replaced")
  func invalidText() {
    #expect(Self.read([Array("data: a".utf8) + [0xFF, 0x0A, 0x0A]]).events.map(\.data) == ["a\u{FFFD}"])
  }

  @Test("A line, event or comment that is too long is refused, after the events before it")
  func limits() {
    for text in ["data: 0123456", ":0123456789012", "data: 01\ndata: 012\n", "data: 012345\n\n"] {
      let reading = Self.read([Array("data:x\n\n\(text)".utf8)], limit: 11)
      #expect(reading == Reading(events: [ServerSentEvent(data: "x")], failed: true), "\(text)")
    }
    #expect(Self.read([Array("data: 01234\n\n".utf8)], limit: 11).events.map(\.data) == ["01234"])
    var parser = ServerSentEventParser(limit: 1)
    parser.append([1, 2])
    for _ in 0..<2 { #expect(throws: NetworkError.self) { try parser.next() } }
  }

  @Test(
    "The events are the same wherever the bytes are divided",
    arguments: [ServerSentEventParser.defaultLimit, 24])
  func cuts(limit: Int) {
    var random = SeededRandom(seed: 42)
    let pieces: [[UInt8]] =
      [
        "data", "data:", "data: x", "event: e", "id: 5", "id: \u{0}", "retry: 12", ":", ": c", "ä資", "\r",
        "\n",
        "\r\n", "\n\n", "\r\r", "\r\n\r\n", "\u{FEFF}", " ", "a",
      ].map { Array($0.utf8) } + [[0xFF], [0xE2, 0x82]]
    var withEvents = 0
    var failures = 0
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 1...40, using: &random)).flatMap { _ in
        pieces.randomElement(using: &random) ?? []
      }
      let whole = Self.read([bytes], limit: limit)
      var chunks: [[UInt8]] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Int.random(in: 0...min(rest.count, 5), using: &random)
        chunks.append(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      #expect(Self.read(chunks, limit: limit) == whole)
      #expect(Self.read(bytes.map { [$0] }, limit: limit) == whole)
      withEvents += whole.events.isEmpty ? 0 : 1
      failures += whole.failed ? 1 : 0
    }
    #expect(withEvents > 200)
    #expect((failures > 200) == (limit == 24))
  }
}
