import CurlTransport
import HTTPTypes
import Interception
import LoopbackServing
import Testing

/// Fields of servers that depart from RFC 9110, over libcurl.
@Suite(.timeLimit(.minutes(5)))
struct FieldBytesTests {
  private static func server(_ head: [UInt8], body: [UInt8] = Array("ok".utf8)) throws -> ScriptedServer {
    try ScriptedServer(raw: { request, wire in
      let length = Array("Content-Length: \(body.count)\r\n\r\n".utf8)
      try wire.send(
        Array("HTTP/1.1 200 OK\r\n".utf8) + head + length + (request.method == "HEAD" ? [] : body))
      wire.stayOpen()
    })
  }

  private static func text(_ response: Response) async throws -> String {
    String(decoding: try await response.body.collect(upTo: 1 << 16), as: UTF8.self)
  }

  @Test(
    "Bytes of a field that are not UTF-8 reach the caller, folded ones as well",
    arguments: [
      (Array("X-Name: Jos".utf8) + [0xE9, 0x0D, 0x0A], Array("Jos".utf8) + [0xE9]),
      ([UInt8]("X-Name:".utf8) + [0xFF, 0x80, 0x0D, 0x0A], [0xFF, 0x80]),
      (Array("X-Name: a".utf8) + [0xE9, 0x0D, 0x0A, 0x20, 0xE8, 0x0D, 0x0A], [0x61, 0xE9, 0x20, 0xE8]),
      (Array("X-Name: Jos\u{E9}\r\n".utf8), Array("Jos\u{E9}".utf8)),
    ] as [([UInt8], [UInt8])])
  func received(line: [UInt8], value: [UInt8]) async throws {
    let server = try Self.server(line)
    let response = try await CurlDispatcher().dispatch(.get(server))
    let name = try #require(HTTPField.Name("X-Name"))
    #expect(response.head.headerFields[fields: name].map(\.bytes) == [value])
  }

  @Test("A file name in ISO 8859-1 can be read, and a trailer field keeps its bytes")
  func fileNameAndTrailers() async throws {
    let server = try ScriptedServer(raw: { _, wire in
      let disposition =
        Array("Content-Disposition: attachment; filename=\"Jos".utf8) + [0xE9] + Array(".txt\"".utf8)
      let trailer = Array("X-End: ".utf8) + [0xE8, 0x0D, 0x0A]
      try wire.send(
        Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, \r\n".utf8) + disposition
          + Array("\r\n\r\n2\r\nok\r\n0\r\n".utf8) + trailer + Array("\r\n".utf8))
      wire.stayOpen()
    })
    let response = try await CurlDispatcher().dispatch(.get(server))
    let field = response.head.headerFields.first { $0.name == .contentDisposition }
    #expect(field?.text == "attachment; filename=\"Jos\u{E9}.txt\"")
    #expect(try await Self.text(response) == "ok")
    #expect(response.trailers?.map(\.bytes) == [[0xE8]])
  }

  @Test("A request's field is sent as its bytes are")
  func sent() async throws {
    let server = try Self.server([])
    var request = Request.get(server)
    let name = try #require(HTTPField.Name("X-Name"))
    request.head.headerFields.append(HTTPField(name: name, value: [0x4A, 0xE9, 0xFF]))
    _ = try await CurlDispatcher().dispatch(request)
    #expect(server.requests.first?.bytes(of: "X-Name") == [0x4A, 0xE9, 0xFF])
  }

  @Test("A length that is repeated is one, so that the stream has it")
  func repeatedLength() async throws {
    let server = try Self.server(Array("Content-Length: 2\r\n".utf8))
    let request = Request.get(server).with { $0.options.delivery = .streamed }
    let response = try await CurlDispatcher().dispatch(request)
    #expect(response.body.length == 2)
    #expect(try await Self.text(response) == "ok")
  }

  @Test("Bytes of a field that are not UTF-8 reach the caller over HTTP/2, too")
  func overHTTP2() async throws {
    let bench = try await TLSPeerBench()
    let dispatcher = bench.dispatcher
    let request = Request(authority: "127.0.0.1:\(bench.peer.port)", path: "/")
    let task = Task { () async throws -> Response in try await dispatcher.dispatch(request) }
    let first = try #require(await bench.peer.waitForRequest(1))
    var head = HTTP2Frame.head(stream: first.stream)
    // HPACK: a literal field with a new name, not indexed.
    head.payload += [0x00, 6] + Array("x-name".utf8) + [4, 0x4A, 0xE9, 0xFF, 0x80]
    try bench.peer.send(
      .settings, .settingsAcknowledged, head, .data("ok", stream: first.stream, isLast: true))
    let response = try await task.value
    let name = try #require(HTTPField.Name("X-Name"))
    #expect(response.head.headerFields[fields: name].map(\.bytes) == [[0x4A, 0xE9, 0xFF, 0x80]])
    #expect(response.transport?.version == .http2)
  }
}
