import HTTPTypes
import Interception
import Testing

@testable import CurlTransport

@Suite struct HeadParserTests {
  private func feed(_ lines: [String], to parser: inout HeadParser) -> [HeadParser.Event] {
    lines.map { line in parser.consume(Array("\(line)\r\n".utf8).span) }
  }

  @Test("A head is complete with its empty line")
  func complete() throws {
    var parser = HeadParser()
    let events = feed(["HTTP/1.1 200 OK", "A: 1", "a:2 ", "Empty:", ""], to: &parser)
    var head = HTTPResponse(status: .ok)
    head.headerFields.append(HTTPField(name: try #require(.init("A")), value: "1"))
    head.headerFields.append(HTTPField(name: try #require(.init("a")), value: "2"))
    head.headerFields.append(HTTPField(name: try #require(.init("Empty")), value: ""))
    #expect(events == [.none, .none, .none, .none, .head(head)])
    #expect(parser.version == .http1 && parser.trailers == nil)
  }

  @Test(
    "Version and code are read from the status line",
    arguments: [
      ("HTTP/2 204 ", 204, TransportReport.HTTPVersion.http2), ("HTTP/1.0 404 Not Found", 404, .http1),
      ("HTTP/3 200", 200, .http3), ("HTTP/1.1 599", 599, .http1),
    ])
  func statusLine(
    line: String, code: Int, version: TransportReport.HTTPVersion
  ) throws {
    var parser = HeadParser()
    let last = try #require(feed([line, ""], to: &parser).last)
    #expect(last == .head(HTTPResponse(status: .init(code: code))) && parser.version == version)
  }

  @Test(
    "A first line that is no status line is malformed",
    arguments: [
      "", "HTTP", "HTTP/1.1", "HTTP/1.1 20", "HTTP/1.1 2000 OK", "HTTP/1.1 abc", "ICY 200 OK",
      "HTTP/9 200 OK",
    ])
  func malformed(line: String) {
    var parser = HeadParser()
    #expect(feed([line], to: &parser) == [.malformed])
  }

  @Test("Heads of the 1xx class are skipped with their fields")
  func informational() {
    var parser = HeadParser()
    let events = feed(
      ["HTTP/1.1 103 Early Hints", "Link: </a>", "", "HTTP/1.1 200 OK", ""], to: &parser)
    #expect(events.last == .head(HTTPResponse(status: .ok)))
    #expect(events.dropLast().allSatisfy { $0 == .none })
  }

  @Test("Fields after the head are trailers")
  func trailers() throws {
    var parser = HeadParser()
    _ = feed(["HTTP/1.1 200 OK", "A: 1", ""], to: &parser)
    _ = feed(["Digest: x", ""], to: &parser)
    #expect(parser.trailers == [try #require(.init("Digest")): "x"])
  }

  @Test(
    "A body is framed plainly by one length or by chunks alone, whatever its lines",
    arguments: [
      (["Transfer-Encoding: chunked"], true), (["Content-Length: 3"], true), ([], true),
      (["Transfer-Encoding: gzip", "Transfer-Encoding: chunked"], false),
      (["Transfer-Encoding: chunked", "Transfer-Encoding: gzip"], false),
      (["Transfer-Encoding: chunked", " , gzip"], false), (["Content-Length: 3", " 4"], false),
      (["Content-Length: 3", "Transfer-Encoding: chunked"], false),
    ])
  func framing(fields: [String], isPlain: Bool) {
    var parser = HeadParser()
    _ = feed(["HTTP/1.1 200 OK"] + fields + [""], to: &parser)
    #expect(parser.isPlainlyFramed == isPlain)
  }

  @Test("Folded lines are joined, and lines that are no field are skipped")
  func leniency() throws {
    var parser = HeadParser()
    let events = feed(
      ["HTTP/1.1 200 OK", "A: 1", "  2", "no colon", "bad name: x", ": none", ""], to: &parser)
    let name = try #require(HTTPField.Name("A"))
    #expect(events.last == .head(HTTPResponse(status: .ok, headerFields: [name: "1 2"])))
  }

  @Test("Endless heads are refused at the limit")
  func limit() {
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
