import HTTPTypes
import Interception
import Testing

@testable import CurlTransport

@Suite struct HeadParserTests {
  private func feed(_ lines: [String], to parser: inout HeadParser) -> [HeadParser.Event] {
    lines.map { line in parser.consume(Array("\(line)\r\n".utf8).span) }
  }

  @Test func `a head is complete with its empty line`() throws {
    var parser = HeadParser()
    let events = feed(["HTTP/1.1 200 OK", "A: 1", "a:2 ", "Empty:", ""], to: &parser)
    var head = HTTPResponse(status: .ok)
    head.headerFields.append(HTTPField(name: try #require(.init("A")), value: "1"))
    head.headerFields.append(HTTPField(name: try #require(.init("a")), value: "2"))
    head.headerFields.append(HTTPField(name: try #require(.init("Empty")), value: ""))
    #expect(events == [.none, .none, .none, .none, .head(head, .http1)])
    #expect(parser.trailers == nil)
  }

  @Test(arguments: [
    ("HTTP/2 204 ", 204, TransportReport.HTTPVersion.http2), ("HTTP/1.0 404 Not Found", 404, .http1),
    ("HTTP/3 200", 200, .http3), ("HTTP/1.1 599", 599, .http1),
  ])
  func `version and code are read from the status line`(
    line: String, code: Int, version: TransportReport.HTTPVersion
  ) throws {
    var parser = HeadParser()
    let last = try #require(feed([line, ""], to: &parser).last)
    #expect(last == .head(HTTPResponse(status: .init(code: code)), version))
  }

  @Test(arguments: [
    "", "HTTP", "HTTP/1.1", "HTTP/1.1 20", "HTTP/1.1 2000 OK", "HTTP/1.1 abc", "ICY 200 OK", "HTTP/9 200 OK",
  ])
  func `a first line that is no status line is malformed`(line: String) {
    var parser = HeadParser()
    #expect(feed([line], to: &parser) == [.malformed])
  }

  @Test func `heads of the 1xx class are passed over, their fields with them`() {
    var parser = HeadParser()
    let events = feed(
      ["HTTP/1.1 103 Early Hints", "Link: </a>", "", "HTTP/1.1 200 OK", ""], to: &parser)
    #expect(events.last == .head(HTTPResponse(status: .ok), .http1))
    #expect(events.dropLast().allSatisfy { $0 == .none })
  }

  @Test func `fields after the head are trailers`() throws {
    var parser = HeadParser()
    _ = feed(["HTTP/1.1 200 OK", "A: 1", ""], to: &parser)
    _ = feed(["Digest: x", ""], to: &parser)
    #expect(parser.trailers == [try #require(.init("Digest")): "x"])
  }

  @Test func `folded lines are joined, and lines that are no field are passed over`() throws {
    var parser = HeadParser()
    let events = feed(
      ["HTTP/1.1 200 OK", "A: 1", "  2", "no colon", "bad name: x", ": none", ""], to: &parser)
    let name = try #require(HTTPField.Name("A"))
    #expect(events.last == .head(HTTPResponse(status: .ok, headerFields: [name: "1 2"]), .http1))
  }

  @Test func `heads without end are refused at their limit`() {
    var parser = HeadParser()
    _ = feed(["HTTP/1.1 200 OK"], to: &parser)
    let line = Array("X: \(String(repeating: "a", count: 1000))\r\n".utf8)
    var accepted = 0
    while parser.consume(line.span) == .none, accepted < 10_000 { accepted += 1 }
    #expect(accepted == (HeadParser.limit - 17) / line.count)

    var early = HeadParser()
    var rounds = 0
    while feed(["HTTP/1.1 100 Continue", ""], to: &early).last == HeadParser.Event.none, rounds < 100_000 {
      rounds += 1
    }
    #expect(rounds < HeadParser.limit / 20)
  }
}
