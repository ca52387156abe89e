import CurlTransport
import HTTPTypes
import Interception
import LoopbackServing
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CurlDispatcherTests {
  let dispatcher = CurlDispatcher()

  @Test("A GET reaches the server as written, and its response comes back complete")
  func get() async throws {
    let server = try ScriptedServer { _ in
      ScriptedReply(status: 201, fields: [("X-Twice", "a"), ("X-Twice", "b")], body: Array("hello".utf8))
    }
    var request = Request(scheme: "http", authority: server.authority, path: "/a/../b//c?q=1&q=2%20x")
    request.head.headerFields[.accept] = "text/plain"
    request.head.headerFields.append(HTTPField(name: .cookie, value: "k=v"))
    let response = try await dispatcher.dispatch(request)
    #expect(response.status.code == 201)
    #expect(response.head.headerFields[values: try #require(.init("x-twice"))] == ["a", "b"])
    #expect(try await response.body.collect(upTo: 100) == Array("hello".utf8))

    let seen = try #require(server.requests.first)
    #expect(seen.method == "GET")
    #expect(seen.target == "/a/../b//c?q=1&q=2%20x")
    let fields = seen.fields.map { "\($0.name): \($0.value)" }
    #expect(
      Set(fields) == [
        "Host: \(server.authority)", "Accept: text/plain", "Cookie: k=v", "User-Agent: Switchyard",
        "Accept-Encoding: identity",
      ])
  }

  @Test("Several cookies are sent over HTTP/1.1 in one line")
  func cookies() async throws {
    let server = try ScriptedServer { _ in .text("") }
    var request = Request(scheme: "http", authority: server.authority, path: "/")
    request.head.headerFields[.cookie] = "a=1; b=2; c=3"
    #expect(request.head.headerFields.count == 3)
    _ = try await dispatcher.dispatch(request)
    let lines = server.requests.flatMap(\.fields).filter { $0.name.lowercased() == "cookie" }
    #expect(lines.map { "\($0.name): \($0.value)" } == ["Cookie: a=1; b=2; c=3"])
  }

  @Test("No unrequested header field is sent but that for content as it is")
  func noOtherFields() async throws {
    let server = try ScriptedServer { _ in .text("") }
    let plain = CurlDispatcher(configuration: .init(userAgent: nil))
    _ = try await plain.dispatch(Request(scheme: "http", authority: server.authority, path: "/"))
    #expect(server.requests.first?.fields.map(\.name) == ["Host", "Accept-Encoding"])
  }

  @Test(
    "A body is sent with its length for any method",
    arguments: ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "GET", "REPORT"])
  func bodies(method: String) async throws {
    let server = try ScriptedServer { .text("\($0.method) \($0.text)") }
    let request = Request(
      method: try #require(.init(method)), scheme: "http", authority: server.authority, path: "/",
      body: .text("content"))
    let response = try await dispatcher.dispatch(request)
    #expect(try await response.body.collect(upTo: 100) == Array("\(method) content".utf8))
    let seen = try #require(server.requests.first)
    #expect(seen.value(of: "Content-Length") == "7")
    #expect(seen.value(of: "Content-Type") == nil)
    #expect(seen.value(of: "Expect") == nil)
    #expect(response.exchange.transport?.bytes.sent == 7)
  }

  @Test("An empty body is announced for methods that usually have one", arguments: ["POST", "PUT", "PATCH"])
  func emptyBodies(method: String) async throws {
    let server = try ScriptedServer { _ in .text("ok") }
    let request = Request(
      method: try #require(.init(method)), scheme: "http", authority: server.authority, path: "/")
    _ = try await dispatcher.dispatch(request)
    #expect(server.requests.first?.value(of: "Content-Length") == "0")
    #expect(server.requests.first?.method == method)
  }

  @Test("OPTIONS * is sent with an asterisk as its target")
  func optionsOfServer() async throws {
    let server = try ScriptedServer { _ in .text("") }
    _ = try await dispatcher.dispatch(
      Request(method: .options, scheme: "http", authority: server.authority, path: "*"))
    #expect(server.requests.first?.target == "*")
  }

  @Test("A second request reuses the connection of the first")
  func reuse() async throws {
    let server = try ScriptedServer { _ in .text("ok") }
    let request = Request(scheme: "http", authority: server.authority, path: "/")
    let first = try #require(try await dispatcher.dispatch(request).exchange.transport)
    let second = try #require(try await dispatcher.dispatch(request).exchange.transport)
    #expect(!first.connectionWasReused)
    #expect(first.phases.connect != nil)
    #expect(second.connectionWasReused)
    #expect(second.phases.connect == nil)
    #expect(server.counts.accepted == 1)
  }

  @Test("E14: Each report has times, bytes, address, version and whether the connection was reused")
  func report() async throws {
    let size = 1 << 20
    let server = try ScriptedServer { _ in ScriptedReply(body: [UInt8](repeating: 7, count: size)) }
    let request = Request(
      method: .put, scheme: "http", authority: server.authority, path: "/", body: .text("content"))
    for isReused in [false, true] {
      let response = try await dispatcher.dispatch(request)
      let report = try #require(response.exchange.transport)
      #expect(report.connectionWasReused == isReused)
      #expect(report.remoteAddress == server.authority)
      #expect(report.version == .http1)
      #expect(report.bytes == .init(sent: 7, received: Int64(size), decoded: Int64(size)))
      #expect(report.contentCoding == nil)
      let phases = report.phases
      #expect(try #require(phases.queue) >= .zero)
      // Neither is long over loopback, but 1 MiB takes its time in one of them.
      #expect(try #require(phases.firstByte) + #require(phases.lastByte) > .zero)
      // An address needs no look-up that takes time.
      #expect(isReused ? phases.name == nil : phases.name != nil)
      #expect(isReused ? phases.connect == nil : try #require(phases.connect) > .zero)
      #expect(phases.tls == nil)
      #expect(response.exchange.attempts == 1)
    }
    #expect(server.counts.accepted == 1)
  }
}
