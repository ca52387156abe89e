import CurlTransport
import DNSBypass
import HTTPTypes
import Interception
import LoopbackServing
import RedirectFollowing
import SwitchyardTesting
import Synchronization
import Testing

/// Redirects over libcurl, against servers on the loopback interface.
///
/// The names don't exist in any DNS.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RedirectWireTests {
  private static func redirect(_ status: Int, _ location: String) -> ScriptedReply {
    ScriptedReply(status: status, fields: [("Location", location)], body: Array("moved".utf8))
  }

  @Test("E7: Host names match ignoring case, each hop of a redirect uses the table, and the body is kept")
  func table() async throws {
    let third = try ScriptedServer { .text("\($0.method) \($0.text)") }
    let second = try ScriptedServer { request in
      Self.redirect(
        308, "http://\(request.value(of: "Host") == "homes.invalid" ? "THIRD" : "second").invalid/c")
    }
    let first = try ScriptedServer { _ in Self.redirect(307, "http://Homes.INVALID/b") }
    let bypass = DNSBypassInterceptor(
      try AddressTable(
        [
          "estate.invalid": [first.authority], "homes.invalid": [second.authority],
          "third.invalid": [third.authority],
        ], allowing: [.loopback]))
    let pipeline = try Pipeline(over: CurlDispatcher()) {
      RedirectInterceptor()
      bypass
    }
    let request = Request(
      method: .put, scheme: "http", authority: "Estate.Invalid", path: "/a", body: .text("kept"))
    let response = try await pipeline.send(request)
    #expect(try await response.body.collect(upTo: 99) == Array("PUT kept".utf8))
    #expect(response.exchange.transport?.remoteAddress == third.authority)
    #expect(
      response.exchange.redirects.map(\.url) == ["http://homes.invalid/b", "http://third.invalid/c"])
    // Each hop went to the address of its own host, and named that host.
    let seen = [first, second, third].map(\.requests)
    #expect(seen.map { $0.map(\.target) } == [["/a"], ["/b"], ["/c"]])
    #expect(
      seen.map { $0.first?.value(of: "Host")?.lowercased() } == [
        "estate.invalid", "homes.invalid", "third.invalid",
      ])
    #expect(seen.allSatisfy { $0.first?.value(of: "Content-Length") == "4" })
  }

  @Test(
    "H2: Redirects follow RFC 9110 by status and method, replay bodies, and keep credentials in the origin; cycles end at the limit"
  )
  func rules() async throws {
    let other = try ScriptedServer { request in
      request.target == "/back" ? Self.redirect(302, request.value(of: "X-Home") ?? "") : .text("other")
    }
    let server = try ScriptedServer { request in
      switch request.target {
      case "/loop": Self.redirect(302, "/loop?again")
      case "/loop?again": Self.redirect(302, "/loop")
      case "/away": Self.redirect(307, "http://\(other.authority)/")
      case "/away/and/back": Self.redirect(307, "http://\(other.authority)/back")
      case let target where target.hasPrefix("/status/"):
        Self.redirect(Int(target.dropFirst(8)) ?? 0, "../seen#part")
      default:
        .text("\(request.method) \(request.value(of: "Content-Type") ?? "-") \(request.text)")
      }
    }
    let pipeline = try Pipeline(over: CurlDispatcher()) { RedirectInterceptor() }
    func send(_ method: HTTPRequest.Method, _ path: String) async throws -> Response {
      var request = Request(
        method: method, scheme: "http", authority: server.authority, path: path,
        headerFields: [.contentType: "text/plain", .authorization: "Bearer secret", .cookie: "id=secret"],
        body: method == .get ? .empty : .text("replayed"))
      request.head.headerFields[try #require(HTTPField.Name("X-Home"))] = "http://\(server.authority)/seen"
      return try await pipeline.send(request)
    }
    let expected: [(Int, HTTPRequest.Method, String)] = [
      (301, .post, "GET - "), (302, .post, "GET - "), (303, .post, "GET - "), (303, .put, "GET - "),
      (301, .put, "PUT text/plain replayed"), (302, .patch, "PATCH text/plain replayed"),
      (307, .post, "POST text/plain replayed"), (308, .post, "POST text/plain replayed"),
      (307, .get, "GET text/plain "),
    ]
    for (status, method, text) in expected {
      let response = try await send(method, "/status/\(status)")
      #expect(String(decoding: try await response.body.collect(upTo: 99), as: UTF8.self) == text)
      #expect(response.exchange.redirects.map(\.url) == ["http://\(server.authority)/seen#part"])
      let last = try #require(server.requests.last)
      #expect(last.value(of: "Authorization") == "Bearer secret" && last.value(of: "Cookie") == "id=secret")
    }

    // Another port is another origin, and the way back restores nothing.
    #expect(try await send(.post, "/away").status == .ok)
    #expect(try await send(.post, "/away/and/back").exchange.redirects.count == 2)
    let returned = try #require(server.requests.last)
    #expect(returned.target == "/seen" && returned.method == "GET")
    for request in other.requests + [returned] {
      #expect(request.value(of: "Authorization") == nil && request.value(of: "Cookie") == nil)
    }

    let loop = await #expect(throws: NetworkError.self) { try await send(.get, "/loop") }
    #expect(loop?.underlying(as: RedirectError.self)?.rule == .tooMany(limit: 20))
    #expect(loop?.reason.contains("Cycle: 302 GET http://\(server.authority)/loop, 302 GET ") == true)
    #expect(loop?.reason.contains("again") == false)
    #expect(server.requests.suffix(21).allSatisfy { $0.target.hasPrefix("/loop") })
  }

  @Test("A result that is polled by 303 to the same URL is returned once it is there, as by curl")
  func polling() async throws {
    let requests = Mutex(0)
    let server = try ScriptedServer { request in
      let number = requests.withLock { count in
        count += 1
        return count
      }
      switch request.target {
      case "/report": return Self.redirect(303, "/report/status")
      default: return number < 8 ? Self.redirect(303, "/report/status") : .text("\(request.method) done")
      }
    }
    let pipeline = try Pipeline(over: CurlDispatcher()) { RedirectInterceptor() }
    let response = try await pipeline.send(
      Request(
        method: .post, scheme: "http", authority: server.authority, path: "/report", body: .text("job")))
    #expect(try await response.body.collect(upTo: 99) == Array("GET done".utf8))
    #expect(response.exchange.redirects.count == 7)
    #expect(server.requests.count == 8)
  }

  @Test(
    "H2: A redirect from https to http is refused over TLS, unless it is allowed",
    .enabled(if: NginxServer.runsSuites))
  func downgrade() async throws {
    let plain = try ScriptedServer { _ in .text("plain") }
    let nginx = try await NginxServer(tlsSettings: { _ in
      "location = /moved { return 302 http://\(plain.authority)/seen; }"
    })
    let dispatcher = CurlDispatcher(
      configuration: .init(tls: TLSPolicy(authorityFile: nginx.certificates.authorityFile)))
    let table = try AddressTable([CertificateSet.name: ["127.0.0.1"]], allowing: [.loopback])
    func send(_ interceptor: RedirectInterceptor) async throws -> Response {
      let pipeline = try Pipeline(over: dispatcher) {
        interceptor
        DNSBypassInterceptor(table)
      }
      return try await pipeline.send(
        Request(authority: "\(CertificateSet.name):\(nginx.tlsPort())", path: "/moved"))
    }
    let error = await #expect(throws: NetworkError.self) { try await send(RedirectInterceptor()) }
    #expect(error?.underlying(as: RedirectError.self)?.rule == .downgrade)
    #expect(plain.requests.isEmpty)
    let response = try await send(RedirectInterceptor(allowsDowngrades: true))
    #expect(try await response.body.collect(upTo: 9) == Array("plain".utf8))
  }

  @Test("A Location with spaces, UTF-8 or other bytes is followed, and the same one twice is one")
  func rawBytes() async throws {
    let server = try ScriptedServer(raw: { request, wire in
      if request.target == "/start" {
        try wire.send("HTTP/1.1 302 Found\r\nLocation: /caf\u{E9} 1?q=\u{4F60}\r\nContent-Length: 0\r\n\r\n")
      } else if request.target == "/latin" {
        try wire.send(
          Array("HTTP/1.1 302 Found\r\nLocation: /caf".utf8) + [0xE9]
            + Array("\r\nContent-Length: 0\r\n\r\n".utf8))
      } else if request.target == "/twice" {
        try wire.send(
          "HTTP/1.1 302 Found\r\nLocation: /once\r\nLocation: /once\r\nContent-Length: 0\r\n\r\n")
      } else if request.target == "/two" {
        try wire.send("HTTP/1.1 302 Found\r\nLocation: /a\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n")
      } else {
        try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      }
      wire.stayOpen()
    })
    let pipeline = try Pipeline(over: CurlDispatcher()) { RedirectInterceptor() }
    _ = try await pipeline.send(Request(scheme: "http", authority: server.authority, path: "/start"))
    #expect(server.requests.map(\.target) == ["/start", "/caf%C3%A9%201?q=%E4%BD%A0"])
    for (path, target) in [("/latin", "/caf%E9"), ("/twice", "/once")] {
      _ = try await pipeline.send(Request(scheme: "http", authority: server.authority, path: path))
      #expect(server.requests.last?.target == target)
    }
    let error = await #expect(throws: NetworkError.self) {
      try await pipeline.send(Request(scheme: "http", authority: server.authority, path: "/two"))
    }
    #expect(error?.kind == .protocolViolation)
    #expect(error?.reason.contains("2 different values of Location") == true)
  }

  @Test("A streamed response that redirects is cancelled, and the stream of the last hop is delivered")
  func streams() async throws {
    let server = try ScriptedServer { request in
      guard request.target == "/" else { return .text("content") }
      return ScriptedReply(
        status: 302, fields: [("Location", "/b")], body: [UInt8](repeating: 7, count: 4 << 20))
    }
    let pipeline = try Pipeline(over: CurlDispatcher()) { RedirectInterceptor() }
    var request = Request(scheme: "http", authority: server.authority, path: "/")
    request.options.delivery = .streamed
    let response = try await pipeline.send(request)
    #expect(try await response.body.collect(upTo: 99) == Array("content".utf8))
  }
}
