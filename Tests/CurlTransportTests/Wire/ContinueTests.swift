import HTTPTypes
import Interception
import LoopbackServing
import Testing

@testable import CurlTransport

@Suite("Expect: 100-continue", .timeLimit(.minutes(5)))
struct ContinueTests {
  static let size = 3 << 20

  enum Body: CaseIterable {
    case bytes
    case streamed
    case ofUnknownLength

    var body: RequestBody {
      switch self {
      case .bytes: .bytes(PatternSource.bytes(at: 0, count: size))
      case .streamed: .once(length: Int64(size), PatternSource(length: size))
      case .ofUnknownLength: .once(length: nil, PatternSource(length: size))
      }
    }
  }

  private func upload(_ server: ScriptedServer, _ body: Body, waiting time: Duration?) -> Request {
    Request(method: .post, scheme: "http", authority: server.authority, path: "/upload").with {
      $0.body = body.body
      $0.options.continueTimeout = time
      $0.options.timeouts.idle = .seconds(120)
    }
  }

  @Test("The body follows 100 (Continue), whole", arguments: Body.allCases)
  func agreed(body: Body) async throws {
    let isWhole = Watched(false)
    let server = try ScriptedServer(raw: { request, wire in
      guard request.value(of: "Expect") == "100-continue" else { return }
      try wire.send("HTTP/1.1 100 Continue\r\n\r\n")
      var received: [UInt8] = []
      try wire.readBody(of: request) { received += $0 }
      let matches = received.count == Self.size && PatternSource.matches(received, at: 0)
      isWhole.update { $0 = matches }
      try wire.send("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
      wire.stayOpen()
    })
    let dispatcher = CurlDispatcher()
    for number in 1...2 {
      let response = try await dispatcher.dispatch(upload(server, body, waiting: .seconds(100)))
      #expect(response.status.code == 201)
      #expect(response.exchange.transport?.connectionWasReused == (number == 2))
      #expect(isWhole.value)
    }
    await dispatcher.shutdown()
  }

  @Test("A refusal spares the body", arguments: [401, 413, 500, 302])
  func refused(status: Int) async throws {
    let received = Watched(0)
    let server = try ScriptedServer(raw: { request, wire in
      try wire.send("HTTP/1.1 \(status) Refused\r\nContent-Length: 2\r\n\r\nno")
      while let bytes = try wire.read() { received.update { $0 += bytes.count } }
    })
    let dispatcher = CurlDispatcher()
    let response = try await dispatcher.dispatch(upload(server, .streamed, waiting: .seconds(100)))
    #expect(response.status.code == status)
    #expect(try await response.body.collect(upTo: 10) == Array("no".utf8))
    await dispatcher.shutdown()
    try await server.wait { $0.closed == 1 }
    #expect(received.value == 0)
    #expect(server.counts.requests == 1)
  }

  @Test("A server that ignores the expectation gets the body after the time")
  func ignored() async throws {
    let server = try ScriptedServer { request in .text("\(request.body.count)") }
    let dispatcher = CurlDispatcher()
    let response = try await dispatcher.dispatch(upload(server, .bytes, waiting: .milliseconds(20)))
    #expect(try await response.body.collect(upTo: 10) == Array("\(Self.size)".utf8))
    await dispatcher.shutdown()
  }

  @Test(
    "417 is the response, before the body and after a part of it, and the request is not sent a second time",
    arguments: Body.allCases, [false, true])
  func refusedExpectation(body: Body, isLate: Bool) async throws {
    let server = try ScriptedServer(raw: { request, wire in
      if isLate { _ = try wire.read() }
      try wire.send("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 4\r\n\r\nnone")
      // A second request on the same connection would be counted, too.
      if isLate { wire.waitForClose() } else { wire.stayOpen() }
    })
    let dispatcher = CurlDispatcher()
    let request = upload(server, body, waiting: isLate ? .milliseconds(1) : .seconds(100))
    let response = try await dispatcher.dispatch(request)
    #expect(response.status.code == 417)
    #expect(try await response.body.collect(upTo: 10) == [])
    #expect(await dispatcher.census().isEmpty)
    await dispatcher.shutdown()
    try await server.wait { $0.closed == $0.accepted }
    #expect(server.counts.requests == 1)
  }

  @Test("Without the option, and without a body, no request expects anything")
  func notAsked() async throws {
    let server = try ScriptedServer { .text($0.value(of: "Expect") ?? "none") }
    let dispatcher = CurlDispatcher()
    let plain = try await dispatcher.dispatch(upload(server, .bytes, waiting: nil))
    #expect(try await plain.body.collect(upTo: 20) == Array("none".utf8))
    let empty = try await dispatcher.dispatch(
      Request.get(server).with { $0.options.continueTimeout = .seconds(1) })
    #expect(try await empty.body.collect(upTo: 20) == Array("none".utf8))
    await dispatcher.shutdown()
  }

  @Test("A cancelled wait ends the request before its body")
  func cancelled() async throws {
    let received = Watched(0)
    let server = try ScriptedServer(raw: { request, wire in
      while let bytes = try wire.read() { received.update { $0 += bytes.count } }
    })
    let dispatcher = CurlDispatcher()
    let request = upload(server, .streamed, waiting: .seconds(100))
    let task = Task {
      await failure { () async throws(NetworkError) in try await dispatcher.dispatch(request) }
    }
    try await server.wait { $0.requests == 1 }
    task.cancel()
    #expect(await task.value?.kind == .cancelled(.task))
    try await server.wait { $0.closed == 1 }
    #expect(received.value == 0)
    #expect(await dispatcher.census().isEmpty)
    await dispatcher.shutdown()
  }

  @Test("Over HTTP/2 the body arrives whole", .enabled(if: NginxServer.runsSuites, "nginx is not installed"))
  func http2() async throws {
    let server = try await NginxServer()
    let dispatcher = CurlDispatcher(
      configuration: .init(tls: .init(authorityFile: server.certificates.authorityFile)))
    let request = Request(
      method: .put, authority: "127.0.0.1:\(server.tlsPort())", path: "/store/a"
    ).with {
      $0.body = Body.bytes.body
      $0.options.continueTimeout = .milliseconds(20)
    }
    #expect(try await dispatcher.dispatch(request).status.code == 201)
    #expect(server.stored("a")?.count == Self.size)
    await dispatcher.shutdown()
  }

  @Test("A field Expect of the request's own is refused with the remedy")
  func ownField() async throws {
    let request = Request(scheme: "http", authority: "127.0.0.1:9", path: "/").with {
      $0.head.headerFields[.expect] = "100-continue"
      $0.body = .bytes([1])
      $0.head.method = .post
    }
    let dispatcher = CurlDispatcher()
    let error = await failure { () async throws(NetworkError) in try await dispatcher.dispatch(request) }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.reason.contains("RequestOptions.continueTimeout") == true)
  }
}
