import Testing

@testable import Inspection

@Suite struct PageConnectionTests {
  private static let request = Array("GET /a HTTP/1.1\r\n\r\n".utf8)

  private static func text(_ connection: PageConnection) -> String {
    String(decoding: connection.pendingOutput, as: UTF8.self)
  }

  private static func answer(_ request: PageRequest) -> PageAnswer {
    request.target == "/events" ? .events : .content(Array("body".utf8), type: "text/plain")
  }

  @Test("A response has the fields that restrict the page, and its length")
  func fields() {
    var connection = PageConnection(at: .zero)
    connection.receive(Self.request, at: .zero, Self.answer)
    let text = Self.text(connection)
    #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(text.hasSuffix("\r\n\r\nbody"))
    for field in [
      "Content-Security-Policy: default-src 'none'; script-src 'self'", "X-Content-Type-Options: nosniff",
      "Referrer-Policy: no-referrer", "Cache-Control: no-store", "Cross-Origin-Opener-Policy: same-origin",
      "Cross-Origin-Resource-Policy: same-origin", "Content-Length: 4\r\n", "Connection: keep-alive",
    ] {
      #expect(text.contains(field), "\(field)")
    }
  }

  @Test("The next request is answered when the response before is written, however many wait")
  func oneAfterAnother() {
    var connection = PageConnection(at: .zero)
    connection.receive(Self.request + Self.request + Self.request, at: .zero, Self.answer)
    let length = connection.pendingOutput.count
    #expect(!connection.isReading)
    connection.noteWritten(length - 1, at: .zero, Self.answer)
    #expect(connection.pendingOutput.count == 1)
    for _ in 0..<2 {
      connection.noteWritten(connection.pendingOutput.count, at: .zero, Self.answer)
      #expect(connection.pendingOutput.count == length)
    }
    connection.noteWritten(length, at: .zero, Self.answer)
    #expect(!connection.hasOutput)
    #expect(connection.isReading)
  }

  @Test("A refusal ends the connection, although the browser would keep it")
  func refusal() {
    var connection = PageConnection(at: .zero)
    connection.receive(Self.request, at: .zero) { _ in .refusal(404) }
    #expect(Self.text(connection).contains("Connection: close\r\n"))
    connection.noteWritten(connection.pendingOutput.count, at: .zero, Self.answer)
    #expect(connection.isFinished)
  }

  @Test("A response to HEAD has no content, and a refused request ends the connection")
  func headAndRefusal() {
    var connection = PageConnection(at: .zero)
    connection.receive(Array("HEAD /a HTTP/1.1\r\n\r\n".utf8), at: .zero, Self.answer)
    #expect(Self.text(connection).hasSuffix("Connection: keep-alive\r\n\r\n"))
    var other = PageConnection(at: .zero)
    other.receive(Array("nonsense\r\n\r\n".utf8), at: .zero, Self.answer)
    #expect(Self.text(other).hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    other.noteWritten(other.pendingOutput.count, at: .zero, Self.answer)
    #expect(other.isFinished)
  }

  @Test("A stream of events receives only the last change, and nothing while it isn't read")
  func events() {
    var connection = PageConnection(at: .zero)
    connection.receive(Array("GET /events HTTP/1.1\r\n\r\n".utf8), at: .zero, Self.answer)
    #expect(connection.isEventStream)
    connection.tell(7, "{}", at: .zero)
    #expect(!Self.text(connection).contains("event:"))
    connection.noteWritten(connection.pendingOutput.count, at: .zero, Self.answer)
    connection.tell(9, "{}", at: .zero)
    #expect(Self.text(connection) == "event: change\ndata: {}\n\n")
    for change in 10..<10_000 { connection.tell(change, "{}", at: .zero) }
    #expect(connection.pendingOutput.count == 24)
    #expect(!connection.awaits(9))
    #expect(connection.awaits(10))
  }

  @Test("Idle and stalled connections are overdue, and a stream of events has heartbeats")
  func deadlines() {
    let limits = PageConnection.Limits()
    var isOverdue: Bool
    var idle = PageConnection(at: .zero)
    #expect(idle.deadline(limits) == .seconds(30))
    isOverdue = idle.isOverdue(at: .seconds(29), limits)
    #expect(!isOverdue)
    isOverdue = idle.isOverdue(at: .seconds(30), limits)
    #expect(isOverdue)
    // A request that arrives a byte at a time doesn't extend the time.
    idle.receive([0x47], at: .seconds(1), Self.answer)
    idle.receive([0x45], at: .seconds(30), Self.answer)
    isOverdue = idle.isOverdue(at: .seconds(31), limits)
    #expect(isOverdue)

    var stalled = PageConnection(at: .zero)
    stalled.receive(Self.request, at: .seconds(5), Self.answer)
    isOverdue = stalled.isOverdue(at: .seconds(14), limits)
    #expect(!isOverdue)
    isOverdue = stalled.isOverdue(at: .seconds(15), limits)
    #expect(isOverdue)

    var stream = PageConnection(at: .zero)
    stream.receive(Array("GET /events HTTP/1.1\r\n\r\n".utf8), at: .zero, Self.answer)
    stream.noteWritten(stream.pendingOutput.count, at: .zero, Self.answer)
    isOverdue = stream.isOverdue(at: .seconds(15), limits)
    #expect(!isOverdue)
    #expect(Self.text(stream) == ": \n\n")
    isOverdue = stream.isOverdue(at: .seconds(25), limits)
    #expect(isOverdue)
  }
}
