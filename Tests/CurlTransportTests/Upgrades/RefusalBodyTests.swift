import HTTPTypes
import Testing

@testable import CurlTransport

@Suite struct RefusalBodyTests {
  private func body(
    _ fields: HTTPFields, status: Int = 503, _ bytes: String, inPiecesOf size: Int, limit: Int = 100
  ) -> RefusalBody? {
    let head = HTTPResponse(status: .init(code: status), headerFields: fields)
    var body = RefusalBody(head, limit: limit)
    var rest = Array(bytes.utf8)[...]
    while !rest.isEmpty, !body.isComplete {
      guard body.take(rest.prefix(size)) else { return nil }
      rest = rest.dropFirst(size)
    }
    return body
  }

  @Test("A body ends as its head says, in pieces of any size", arguments: [1, 2, 3, 1000])
  func framings(size: Int) {
    let text = Array("hello, world".utf8)
    let counted = body([.contentLength: "12"], "hello, worldHTTP/1.1", inPiecesOf: size)
    #expect(counted?.bytes == text && counted?.isComplete == true)
    let chunks = "5\r\nhello\r\n7;a=b\r\n, world\r\n0\r\nTrailer: x\r\n\r\nrest"
    let chunked = body([.transferEncoding: "chunked"], chunks, inPiecesOf: size)
    #expect(chunked?.bytes == text && chunked?.isComplete == true)
    let open = body([:], "hello, world", inPiecesOf: size)
    #expect(open?.bytes == text && open?.isComplete == false && open?.endsWithConnection == true)
    let empty = body([.contentLength: "9"], status: 204, "", inPiecesOf: size)
    #expect(empty?.bytes == [] && empty?.isComplete == true)
  }

  @Test("A body is complete at its limit")
  func limit() {
    for fields in [[.contentLength: "500"], [.transferEncoding: "chunked"], [:]] as [HTTPFields] {
      let prefix = fields[.transferEncoding] == nil ? "" : "1f4\r\n"
      let text = prefix + String(repeating: "a", count: 500)
      let body = body(fields, text, inPiecesOf: 7, limit: 64)
      #expect(body?.bytes.count == 64 && body?.isComplete == true)
    }
  }

  @Test(
    "Malformed chunks are refused",
    arguments: [
      "x\r\n", "-1\r\n", "+5\r\nhello", "\r\n", "5\nhello", "5\r\nhello!\r\n", "ffffffffffffffffff\r\n",
      "5\r\nhello\n", String(repeating: "0", count: 9000),
      "0\r\n" + String(repeating: "a: b\r\n", count: 2000),
    ])
  func malformed(text: String) {
    #expect(body([.transferEncoding: "chunked"], text, inPiecesOf: 100) == nil)
  }
}
