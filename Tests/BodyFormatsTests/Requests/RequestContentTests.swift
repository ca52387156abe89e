import BodyFormats
import HTTPTypes
import Interception
import Testing

@Suite("The content of a request")
struct RequestContentTests {
  struct Lines: BodyEncoder {
    let contentType: String
    func encode(_ value: some Encodable) throws -> [UInt8] { Array("\(value)\n".utf8) }
  }

  struct Failing: BodyEncoder {
    struct Fault: Error {}
    let contentType = "text/plain"
    func encode(_ value: some Encodable) throws -> [UInt8] { throw Fault() }
  }

  @Test("Each format has its bytes and its content type")
  func formats() async throws {
    let json = try RequestContent.json(["b": 1, "a": 2])
    #expect(json.body.bytes == Array(#"{"a":2,"b":1}"#.utf8) && json.contentType == "application/json")
    let form = RequestContent.form(["a b": "c+d", "e": nil, "f": ""])
    #expect(form.body.bytes == Array("a%20b=c%2Bd&f=".utf8))
    #expect(form.contentType == "application/x-www-form-urlencoded")
    let text = RequestContent.text("é")
    #expect(text.body.bytes == [0xC3, 0xA9] && text.contentType == "text/plain; charset=utf-8")
    var parts = try MultipartForm(boundary: "edge")
    parts.append("Harbour", named: "title")
    let multipart = RequestContent.multipart(parts)
    #expect(multipart.contentType == "multipart/form-data; boundary=edge")
    #expect(try await multipart.body.collect(upTo: 1 << 10) == parts.body.collect(upTo: 1 << 10))
    let image = try RequestContent(.bytes([1]), contentType: "image/png")
    #expect(image.body.bytes == [1] && image.contentType == "image/png")
    let lines = try RequestContent.encoded(5, by: Lines(contentType: "text/x-lines"))
    #expect(lines.body.bytes == Array("5\n".utf8) && lines.contentType == "text/x-lines")
    #expect(RequestContent.empty.body.isEmpty && RequestContent.empty.contentType == nil)
  }

  @Test("A content type that is not a media type is refused", arguments: ["", "png", "image/png\r\nX: y"])
  func contentTypes(_ text: String) throws {
    let error = try #require(throws: NetworkError.self) { try RequestContent(.empty, contentType: text) }
    #expect(error.kind == .invalidRequest)
    #expect(throws: NetworkError.self) { try RequestContent.encoded(5, by: Lines(contentType: text)) }
  }

  @Test("An encoder's error is wrapped, and that of JSON names the field")
  func failures() throws {
    let error = try #require(throws: NetworkError.self) {
      try RequestContent.encoded("secret", by: Failing())
    }
    #expect(error.kind == .invalidRequest && error.underlying is Failing.Fault)
    #expect(error.reason.contains("Failing") && !error.reason.contains("secret"))
    let json = try #require(throws: NetworkError.self) { try RequestContent.json(["x": Double.nan]) }
    #expect(json.kind == .invalidRequest && json.reason.contains("`x`"))
  }

  @Test("A request takes the content with its content type, and loses that of earlier content")
  func setting() throws {
    var request = try Request("https://example.com/")
    request.setContent(try .json([1]))
    #expect(request.head.headerFields[.contentType] == "application/json")
    request.setContent(.empty)
    #expect(request.head.headerFields[.contentType] == nil && request.body.isEmpty)
  }

  @Test(
    "Fields are appended to the query of a request",
    arguments: [
      ("https://example.com", "/?a=1"), ("https://example.com/b?", "/b?a=1"),
      ("https://example.com/b?c=2", "/b?c=2&a=1"), ("https://example.com/b?c=2&", "/b?c=2&a=1"),
    ])
  func query(_ url: String, _ path: String) throws {
    var request = try Request(url)
    let before = request.head.path
    request.appendQuery([:])
    #expect(request.head.path == before)
    request.appendQuery(["a": "1"])
    #expect(request.head.path == path)
  }

  @Test("Fields keep their order and repeated names, and encode all but unreserved characters")
  func fields() {
    var fields = FormFields([("b", "1"), ("a", "2"), ("b", "3")])
    #expect(fields.encoded == "b=1&a=2&b=3")
    fields.append("q", "a/é?&=+ %~-._")
    fields.append("r", nil)
    #expect(fields.encoded == "b=1&a=2&b=3&q=a%2F%C3%A9%3F%26%3D%2B%20%25~-._")
    #expect(FormFields().isEmpty && !fields.isEmpty)
  }
}
