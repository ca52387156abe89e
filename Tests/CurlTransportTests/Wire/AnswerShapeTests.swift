import CurlTransport
import HTTPTypes
import Interception
import LoopbackServing
import Testing

@Suite(.timeLimit(.minutes(5)))
struct AnswerShapeTests {
  let dispatcher = CurlDispatcher()

  private func answer(_ wire: String, _ change: (inout Request) -> Void = { _ in }) async throws -> Response {
    let server = try ScriptedServer(raw: { _, connection in try connection.send(wire) })
    return try await dispatcher.dispatch(Request.get(server).with(change))
  }

  private func fault(_ wire: String) async throws -> NetworkError {
    let server = try ScriptedServer(raw: { _, connection in try connection.send(wire) })
    let error = try #require(
      await failure { () throws(NetworkError) in try await dispatcher.dispatch(.get(server, "/?secret")) })
    #expect(error.reason.contains(server.authority))
    #expect(!error.reason.contains("secret"))
    #expect(error.requestMayHaveBeenProcessed)
    return error
  }

  @Test("Informational responses are skipped")
  func informational() async throws {
    let server = try ScriptedServer { _ in
      ScriptedReply(fields: [("X-Last", "1")], body: Array("ok".utf8), informational: [100, 103, 103])
    }
    let response = try await dispatcher.dispatch(.get(server))
    #expect(response.status == .ok)
    #expect(response.head.headerFields[try #require(.init("X-Early"))] == nil)
    #expect(response.head.headerFields[try #require(.init("X-Last"))] == "1")
  }

  @Test("A response to HEAD has fields and no body", arguments: [false, true])
  func headRequest(isStreamed: Bool) async throws {
    let server = try ScriptedServer { _ in ScriptedReply(body: [UInt8](repeating: 0, count: 12)) }
    let request = Request(method: .head, scheme: "http", authority: server.authority, path: "/").with {
      if isStreamed { $0.options.delivery = .streamed }
    }
    for _ in 0..<2 {
      let response = try await dispatcher.dispatch(request)
      #expect(response.head.headerFields[.contentLength] == "12")
      #expect(try await response.body.collect(upTo: 0) == [])
    }
    #expect(server.counts.accepted == 1)
  }

  @Test("A response without content ends with its head", arguments: [204, 304])
  func noContent(status: Int) async throws {
    let server = try ScriptedServer { _ in ScriptedReply(status: status, fields: [("ETag", "\"x\"")]) }
    let request = Request.get(server).with { $0.options.delivery = .streamed }
    for _ in 0..<2 {
      let response = try await dispatcher.dispatch(request)
      #expect(response.status.code == status)
      #expect(response.head.headerFields[.eTag] == "\"x\"")
      #expect(try await response.body.collect(upTo: 0) == [])
    }
    #expect(server.counts.accepted == 1)
  }

  @Test("A chunked body is joined, whatever the sizes of its chunks", arguments: [1, 7, 1000])
  func chunked(size: Int) async throws {
    let body = PatternSource.bytes(at: 0, count: 2500)
    let server = try ScriptedServer { _ in ScriptedReply(body: body, framing: .chunks(of: size)) }
    let response = try await dispatcher.dispatch(.get(server))
    #expect(try await response.body.collect(upTo: 2500) == body)
  }

  @Test("Trailers follow a cached head, too", arguments: [nil, "gzip"])
  func trailersOfCachedHead(coding: String?) async throws {
    let body = Array("as sent".utf8)
    let server = try ScriptedServer { _ in
      ScriptedReply(
        fields: coding.map { [("Content-Encoding", $0)] } ?? [], body: body, framing: .chunks(of: 4),
        trailers: [("Digest", "x")])
    }
    let digest = try #require(HTTPField.Name("Digest"))
    for _ in 0..<4 {
      let response = try await dispatcher.dispatch(
        Request.get(server).with { $0.head.headerFields[.acceptEncoding] = "gzip" })
      #expect(response.head.headerFields[.contentEncoding] == coding)
      #expect(try await response.body.collect(upTo: 10) == body)
      #expect(response.trailers == [digest: "x"])
    }
  }

  @Test("Bodies of all lengths follow each other on one connection")
  func lengths() async throws {
    let lengths = [0, 1, 4096, 4097, 3, 1 << 20, 2, 0, 4096, 5000, 4000]
    let server = try ScriptedServer { request in
      ScriptedReply(body: PatternSource.bytes(at: 0, count: Int(request.target.dropFirst()) ?? 0))
    }
    for length in lengths {
      let response = try await dispatcher.dispatch(.get(server, "/\(length)"))
      #expect(try await response.body.collect(upTo: 1 << 20) == PatternSource.bytes(at: 0, count: length))
    }
    #expect(server.counts.accepted == 1)
  }

  @Test("Trailers come with the end of the body", arguments: [false, true])
  func trailers(isStreamed: Bool) async throws {
    let server = try ScriptedServer { _ in
      ScriptedReply(
        body: Array("ok".utf8), framing: .chunks(of: 1), trailers: [("Digest", "x"), ("Count", "2")])
    }
    let response = try await dispatcher.dispatch(
      Request.get(server).with { if isStreamed { $0.options.delivery = .streamed } })
    #expect(try await response.body.collect(upTo: 10) == Array("ok".utf8))
    let trailers: HTTPFields = [try #require(.init("Digest")): "x", try #require(.init("Count")): "2"]
    #expect(response.trailers == trailers)
    #expect(response.exchange.transport?.bytes.decoded == 2)
  }

  @Test("A body that ends with the connection is complete")
  func closeDelimited() async throws {
    let response = try await answer("HTTP/1.0 200 OK\r\n\r\nall of it")
    #expect(try await response.body.collect(upTo: 100) == Array("all of it".utf8))
  }

  @Test("A body sent byte by byte is complete")
  func byteByByte() async throws {
    let server = try ScriptedServer(raw: { _, wire in
      for byte in "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nslow".utf8 { try wire.send([byte]) }
    })
    let response = try await dispatcher.dispatch(.get(server))
    #expect(try await response.body.collect(upTo: 4) == Array("slow".utf8))
  }

  @Test("A response may have any status")
  func anyStatus() async throws {
    for code in [100 + 199, 404, 500, 599] {
      let response = try await answer("HTTP/1.1 \(code) X\r\nContent-Length: 1\r\n\r\n.")
      #expect(response.status.code == code)
    }
  }

  @Test("Redirects are returned, not followed")
  func redirects() async throws {
    let response = try await answer(
      "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")
    #expect(response.status == .found)
    #expect(response.head.headerFields[.location] == "http://127.0.0.1:1/")
  }

  @Test(
    "A broken response is an error, not a short response",
    arguments: [
      ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", NetworkError.Kind.transport),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhe", .transport),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", .protocolViolation),
      ("SSH-2.0-OpenSSH_9.2\r\n", .protocolViolation),
      ("\u{16}\u{3}\u{1}garbage", .protocolViolation),
      ("HTTP/1.1 200 OK\r\nContent-Length: 5", .transport),
      ("", .transport),
    ])
  func broken(wire: String, kind: NetworkError.Kind) async throws {
    #expect(try await fault(wire).kind == kind)
  }

  @Test("An endless head is refused in bounded memory")
  func endlessHead() async throws {
    let fields = (0..<2000).map { "X-\($0): \(String(repeating: "a", count: 500))\r\n" }.joined()
    #expect(try await fault("HTTP/1.1 200 OK\r\n\(fields)\r\n").kind == .protocolViolation)
  }

  @Test("A single endless header field is refused")
  func endlessField() async throws {
    let field = "X: \(String(repeating: "a", count: 300_000))\r\n"
    #expect(try await fault("HTTP/1.1 200 OK\r\n\(field)\r\n").kind == .protocolViolation)
  }

  @Test("A reset before or within the response is a transport error")
  func reset() async throws {
    for wire in ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"] {
      let server = try ScriptedServer(raw: { _, connection in
        try connection.send(wire)
        connection.reset()
      })
      let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(.get(server)) }
      #expect(error?.kind == .transport)
      #expect(error?.requestMayHaveBeenProcessed == true)
    }
  }

  @Test("A buffered response beyond its limit is refused, with and without a length")
  func bufferLimit() async throws {
    for head in ["Content-Length: 11\r\n", ""] {
      let server = try ScriptedServer(raw: { _, wire in
        try wire.send("HTTP/1.1 200 OK\r\n\(head)\r\n12345678901")
      })
      let request = Request.get(server).with { $0.options.delivery = .buffered(upTo: 10) }
      let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
      #expect(error?.kind == .bodyTooLarge(limit: 10))
      let enough = request.with { $0.options.delivery = .buffered(upTo: 11) }
      #expect(try await dispatcher.dispatch(enough).body.length == 11)
    }
  }
}
