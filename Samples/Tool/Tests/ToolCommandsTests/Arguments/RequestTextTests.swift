import HTTPTypes
import Testing
import ToolCommands

@Suite struct RequestTextTests {
  @Test("A message is parsed with its host, fields and body, and written the same way")
  func message() throws {
    let text = "POST /a?b=c HTTP/1.1\r\nHost: api.test:8443\r\nX-A: 1\r\nX-B: 2, 3\r\n\r\nbody\r\n\r\nmore"
    let request = try RequestText(parsing: Array(text.utf8))
    #expect(request.head.method == .post)
    #expect(request.head.authority == "api.test:8443")
    #expect(request.head.path == "/a?b=c")
    #expect(request.head.headerFields.map(\.value) == ["1", "2, 3"])
    #expect(String(decoding: request.body, as: UTF8.self) == "body\r\n\r\nmore")
    #expect(String(decoding: request.bytes, as: UTF8.self) == text)
  }

  @Test(
    "The target may be a URL, lines may end in LF, and body and empty line may be absent",
    arguments: [
      ("GET http://a.test/b HTTP/1.1\n\n", "/b"), ("GET http://a.test HTTP/1.1", "/"),
      ("GET http://a.test?x=1 HTTP/2\n", "/?x=1"), ("GET /b HTTP/1.1\nhost:a.test\n\n", "/b"),
    ])
  func forms(text: String, path: String) throws {
    let request = try RequestText(parsing: Array(text.utf8))
    #expect(request.head.authority == "a.test")
    #expect(request.head.path == path)
    #expect(request.body.isEmpty)
  }

  @Test(
    "A malformed message is refused with the number of its line",
    arguments: [
      ("", 1), ("GET /", 1), ("G ET / HTTP/1.1", 1), ("GET / HTTP/1.1\n\n", 1),
      ("GET / HTTP/1.1\nHost: a\nno field\n", 3),
    ])
  func faults(text: String, line: Int) {
    let failure = #expect(throws: ToolFailure.self) { try RequestText(parsing: Array(text.utf8)) }
    #expect(failure?.status == .malformedRequest)
    #expect(failure?.description.hasPrefix("Line \(line) ") == true)
  }
}
