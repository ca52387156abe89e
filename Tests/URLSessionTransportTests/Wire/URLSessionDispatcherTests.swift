import Foundation
import HTTPTypes
import Interception
import LoopbackServing
import Testing
import URLSessionTransport

@Suite(.timeLimit(.minutes(5)))
struct URLSessionDispatcherTests {
  let dispatcher = URLSessionDispatcher()

  @Test("A GET reaches the server unchanged, and its response is complete")
  func get() async throws {
    let server = try ScriptedServer { _ in
      ScriptedReply(
        status: 201,
        fields: [
          ("X-Twice", "a"), ("X-Twice", "b"), ("Set-Cookie", "a=1; Expires=Wed, 21 Oct 2055 07:28:00 GMT"),
          ("Set-Cookie", "b=2"),
        ], body: Array("hello".utf8))
    }
    let request = Request.get(server, "/a//b?q=1&q=2%20x&r=/../s") {
      $0.head.headerFields[.accept] = "text/plain"
      $0.head.headerFields.append(HTTPField(name: .cookie, value: "k=v"))
      $0.head.headerFields.append(HTTPField(name: .cookie, value: "l=w"))
    }
    let response = try await dispatcher.dispatch(request)
    #expect(response.status.code == 201)
    #expect(response.head.headerFields[try #require(.init("x-twice"))] == "a, b")
    #expect(
      response.head.headerFields[values: .setCookie] == [
        "a=1; Expires=Wed, 21 Oct 2055 07:28:00 GMT", "b=2",
      ])
    #expect(try await response.body.collect(upTo: 100) == Array("hello".utf8))

    let seen = try #require(server.requests.first)
    #expect(seen.method == "GET")
    #expect(seen.target == "/a//b?q=1&q=2%20x&r=/../s")
    let fields = seen.fields.map { "\($0.name): \($0.value)" }
    #expect(
      Set(fields) == [
        "Host: \(server.authority)", "Accept: text/plain", "Cookie: k=v; l=w", "User-Agent: Switchyard",
        "Accept-Encoding: identity", "Accept-Language: *", "Connection: keep-alive",
      ])
  }

  @Test(
    "A body is sent with its length, for every method",
    arguments: ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "REPORT"])
  func methods(method: String) async throws {
    let server = try ScriptedServer { .text("\($0.method) \($0.text)") }
    let request = Request(
      method: try #require(.init(method)), scheme: "http", authority: server.authority, path: "/",
      body: .text("content"))
    let response = try await dispatcher.dispatch(request)
    #expect(try await response.body.collect(upTo: 100) == Array("\(method) content".utf8))
    let seen = try #require(server.requests.first)
    #expect(seen.value(of: "Content-Length") == "7")
    #expect(seen.value(of: "Expect") == nil)
    #expect(response.exchange.transport?.bytes.sent == 7)
  }

  @Test("An empty body is announced for methods that define one", arguments: ["POST", "PUT", "PATCH"])
  func emptyBody(method: String) async throws {
    let server = try ScriptedServer { _ in .text("ok") }
    let request = Request(
      method: try #require(.init(method)), scheme: "http", authority: server.authority, path: "/")
    #expect(try await dispatcher.text(of: request) == "ok")
    #expect(server.requests.first?.value(of: "Content-Length") == "0")
  }

  @Test("A range of a file is sent")
  func file() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data("0123456789".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let server = try ScriptedServer { .text($0.text) }
    let body = try RequestBody.file(file.path, range: 2..<7)
    #expect(try await dispatcher.text(of: .post(server, body: body)) == "23456")
    #expect(server.requests.first?.value(of: "Content-Length") == "5")
  }

  @Test("HEAD, 204 and 304 have no content, regardless of their header fields")
  func noContent() async throws {
    let server = try ScriptedServer { request in
      switch request.target {
      case "/204": ScriptedReply(status: 204)
      case "/304": ScriptedReply(status: 304, fields: [("ETag", "\"x\"")])
      default: .text("hello")
      }
    }
    let head = Request(method: .head, scheme: "http", authority: server.authority, path: "/")
    let response = try await dispatcher.dispatch(head)
    #expect(response.head.headerFields[.contentLength] == "5")
    #expect(response.body.length == 0)
    for code in [204, 304] {
      let response = try await dispatcher.dispatch(.get(server, "/\(code)"))
      #expect(response.status.code == code)
      #expect(response.body.length == 0)
    }
  }

  @Test("A redirect is reported with its content", arguments: [301, 302, 303, 307, 308])
  func redirects(code: Int) async throws {
    let server = try ScriptedServer { request in
      request.target == "/"
        ? ScriptedReply(status: code, fields: [("Location", "/next")], body: Array("moved".utf8))
        : .text("next")
    }
    let response = try await dispatcher.dispatch(.get(server))
    #expect(response.status.code == code)
    #expect(response.head.headerFields[.location] == "/next")
    #expect(try await response.body.collect(upTo: 10) == Array("moved".utf8))
    #expect(server.requests.count == 1)
  }

  @Test("A redirect without a target is a response if it is empty, or else an error")
  func redirectWithoutTarget() async throws {
    let server = try ScriptedServer {
      ScriptedReply(status: 302, body: $0.target == "/" ? [] : Array("lost".utf8))
    }
    #expect(try await dispatcher.dispatch(.get(server)).status.code == 302)
    #expect(await dispatcher.failure(of: .get(server, "/content"))?.kind == .protocolViolation)
  }

  @Test(
    "A 401 is a response, whatever its challenge",
    arguments: ["Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"y\"", "Bearer"])
  func challenges(challenge: String) async throws {
    let server = try ScriptedServer { _ in
      ScriptedReply(status: 401, fields: [("WWW-Authenticate", challenge)], body: Array("who".utf8))
    }
    let response = try await dispatcher.dispatch(.get(server))
    #expect(response.status.code == 401)
    #expect(response.head.headerFields[.wwwAuthenticate] == challenge)
    #expect(try await response.body.collect(upTo: 10) == Array("who".utf8))
    #expect(server.requests.count == 1)
  }

  @Test("Informational responses are skipped")
  func informational() async throws {
    let server = try ScriptedServer { _ in
      ScriptedReply(body: Array("final".utf8), informational: [103, 103])
    }
    let response = try await dispatcher.dispatch(.get(server))
    #expect(response.status == .ok)
    #expect(try await response.body.collect(upTo: 10) == Array("final".utf8))
  }

  @Test(
    "A coded response is decoded, and its header fields describe the decoded content",
    arguments: [true, false])
  func decoding(asked: Bool) async throws {
    let plain = [UInt8](repeating: 7, count: 100_000)
    let coded = try await GzipCommand.compress(plain)
    let server = try ScriptedServer { _ in
      ScriptedReply(fields: [("Content-Encoding", "gzip")], body: coded)
    }
    let request = Request.get(server) { if asked { $0.head.headerFields[.acceptEncoding] = "gzip" } }
    let response = try await dispatcher.dispatch(request)
    #expect(try await response.body.collect(upTo: 1 << 20) == plain)
    #expect(response.head.headerFields[.contentEncoding] == nil)
    #expect(response.head.headerFields[.contentLength] == nil)
    #expect(response.exchange.transport?.contentCoding == .gzip)
    #expect(
      response.exchange.transport?.bytes
        == .init(sent: 0, received: Int64(coded.count), decoded: Int64(plain.count)))
    #expect(server.requests.first?.value(of: "Accept-Encoding") == (asked ? "gzip" : "identity"))
  }

  @Test("The limit applies to decoded bytes")
  func decompressionBomb() async throws {
    let bomb = try await GzipCommand.zeros(64 << 20)
    let server = try ScriptedServer { _ in
      ScriptedReply(fields: [("Content-Encoding", "gzip")], body: bomb)
    }
    let request = Request.get(server) { $0.options.delivery = .buffered(upTo: 1 << 20) }
    #expect(await dispatcher.failure(of: request)?.kind == .bodyTooLarge(limit: 1 << 20))
  }

  @Test("The limit of a buffered response applies, whether or not its length is known")
  func bufferedLimit() async throws {
    let server = try ScriptedServer {
      ScriptedReply(
        body: [UInt8](repeating: 1, count: 1000), framing: $0.target == "/" ? .length : .chunks(of: 100))
    }
    for path in ["/", "/chunked"] {
      let short = Request.get(server, path) { $0.options.delivery = .buffered(upTo: 999) }
      let error = await dispatcher.failure(of: short)
      #expect(error?.kind == .bodyTooLarge(limit: 999))
      #expect(error?.requestMayHaveBeenProcessed == true)
      let enough = Request.get(server, path) { $0.options.delivery = .buffered(upTo: 1000) }
      #expect(try await dispatcher.dispatch(enough).body.length == 1000)
    }
  }

  @Test("Idle connections are reused, except for requests that must not be sent twice")
  func reuse() async throws {
    let server = try ScriptedServer { .text("\($0.connection)") }
    #expect(try await dispatcher.text(of: .get(server)) == "1")
    #expect(try await dispatcher.text(of: .get(server)) == "1")
    #if !canImport(Darwin)
    #expect(try await dispatcher.text(of: .post(server, body: .text("x"))) == "2")
    #expect(try await dispatcher.text(of: .post(server, body: .text("x"))) == "3")
    #endif
    #expect(try await dispatcher.text(of: .get(server)) == "1")
  }

  @Test("A POST that fails with a reset is not retried")
  func noRetry() async throws {
    let server = try ScriptedServer(raw: { request, wire in
      try wire.readBody(of: request) { _ in }
      guard request.method == "GET" else { return wire.reset() }
      try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
      wire.stayOpen()
    })
    _ = try await dispatcher.dispatch(.get(server))
    let error = await dispatcher.failure(of: .post(server, body: .text("pay")))
    #expect(error?.kind == .transport)
    #expect(error?.requestMayHaveBeenProcessed == true)
    #expect(server.requests.count { $0.method == "POST" } == 1)
  }

  @Test("The report contains the visible phases and byte counts")
  func report() async throws {
    let server = try ScriptedServer { _ in ScriptedReply(body: [UInt8](repeating: 7, count: 1000)) }
    let response = try await dispatcher.dispatch(.get(server))
    let report = try #require(response.exchange.transport)
    #expect(report.bytes == .init(sent: 0, received: 1000, decoded: 1000))
    for time in [report.phases.queue, report.phases.firstByte, report.phases.lastByte] {
      #expect(try #require(time) >= .zero)
    }
    #expect(response.exchange.attempts == 1)
  }

  @Test("The capabilities are decoding, and not connect targets")
  func capabilities() {
    #expect(dispatcher.capabilities == .responseDecoding)
  }
}
