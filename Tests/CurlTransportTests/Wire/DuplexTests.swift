import HTTPTypes
import Interception
import LoopbackServing
import Testing

@testable import CurlTransport

/// Responses that are read while their requests are still written.
@Suite("Duplex streaming", .timeLimit(.minutes(5)))
struct DuplexTests {
  @Test(
    "Over HTTP/2 the head and parts of the body come before the request's body has ended",
    arguments: [true, false])
  func http2(together: Bool) async throws {
    let bench = try await TLSPeerBench()
    let peer = bench.peer
    let source = HaltingSource()
    var request = Request(method: .post, authority: "127.0.0.1:\(peer.port)", path: "/chat")
    request.body = .once(length: nil, source)
    request.options.delivery = .streamed
    let task = Task { [request] in try await bench.dispatcher.dispatch(request) }
    let first = try #require(await peer.waitForRequest(1))
    await source.waitUntilHalted()
    let early = HTTP2Frame.data("early", stream: first.stream)
    let head = HTTP2Frame.settings.bytes + HTTP2Frame.head(stream: first.stream).bytes
    try peer.send(head + (together ? early.bytes : []))
    let response = try await task.value
    if !together { try peer.send(early) }
    var chunks = try #require(response.body.streamed).makeAsyncIterator()
    #expect(try await chunks.next() == Array("early".utf8))
    source.goOn()
    let sent = try await peer.received.wait { bytes in Self.data(bytes).last?.isLast == true }
    #expect(Self.data(sent).reduce(0) { $0 + $1.count } == 2 * HaltingSource.chunk)
    try peer.send(.data("late", stream: first.stream, isLast: true))
    #expect(try await chunks.next() == Array("late".utf8))
    #expect(try await chunks.next() == nil)
    #expect(await bench.dispatcher.census().isEmpty)
  }

  private static func data(_ bytes: [UInt8]) -> [(count: Int, isLast: Bool)] {
    HTTP2Frame.parse(bytes).map(\.frame).filter { $0.type == 0 }.map { ($0.payload.count, $0.flags & 1 == 1) }
  }

  /// A server that sends each part of a body back when it has read it.
  private func echoServer() throws -> ScriptedServer {
    try ScriptedServer(raw: { request, wire in
      try wire.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      try wire.readBody(of: request) { bytes in
        try wire.send("\(String(bytes.count, radix: 16))\r\n")
        try wire.send(bytes + Array("\r\n".utf8))
      }
      try wire.send("0\r\n\r\n")
    })
  }

  @Test("Over HTTP/1.1 each chunk is answered before the next one is written")
  func http1() async throws {
    let server = try echoServer()
    try await converse(CurlDispatcher(), Request.get(server, "/chat"))
  }

  @Test(
    "Each chunk is answered before the next one is written, through nginx over HTTP/2",
    .enabled(if: NginxServer.runsSuites, "nginx is not installed"))
  func throughNginx() async throws {
    let backend = try echoServer()
    let server = try await NginxServer(
      locations: """
        location /chat {
          proxy_pass http://\(backend.authority);
          proxy_http_version 1.1;
          proxy_request_buffering off;
          proxy_buffering off;
        }
        """)
    let dispatcher = CurlDispatcher(
      configuration: .init(tls: .init(authorityFile: server.certificates.authorityFile)))
    try await converse(
      dispatcher, Request(authority: "127.0.0.1:\(server.tlsPort())", path: "/chat"), version: .http2)
  }

  /// Writes ten words, each after the echo of the one before.
  private func converse(
    _ dispatcher: CurlDispatcher, _ request: Request, version: TransportReport.HTTPVersion = .http1
  ) async throws {
    let (words, writer) = AsyncStream.makeStream(of: [UInt8].self)
    var request = request
    request.head.method = .post
    request.body = .sequence(length: nil, words)
    request.options.delivery = .streamed
    writer.yield(Array("word 0".utf8))
    let response = try await dispatcher.dispatch(request)
    #expect(response.exchange.transport?.version == version)
    var chunks = try #require(response.body.streamed).makeAsyncIterator()
    for number in 0..<10 {
      let word = Array("word \(number)".utf8)
      var echo: [UInt8] = []
      while echo.count < word.count, let bytes = try await chunks.next() { echo += bytes }
      #expect(echo == word)
      if number < 9 { writer.yield(Array("word \(number + 1)".utf8)) }
    }
    writer.finish()
    #expect(try await chunks.next() == nil)
    #expect(await dispatcher.census().isEmpty)
    await dispatcher.shutdown()
  }
}

extension ResponseBody {
  fileprivate var streamed: BodyStream? { if case .stream(let stream) = self { stream } else { nil } }
}
