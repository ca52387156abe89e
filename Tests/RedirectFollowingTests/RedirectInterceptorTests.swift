import HTTPTypes
import Interception
import RedirectFollowing
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RedirectInterceptorTests {
  private static func redirect(
    _ location: String, status: HTTPResponse.Status = .found, body: ResponseBody = .empty
  ) -> Response {
    Response(HTTPResponse(status: status, headerFields: [.location: location]), body: body)
  }

  @Test("A redirect satisfies the laws of interceptors")
  func laws() async throws {
    let report = await checkInterceptorLaws(RedirectInterceptor())
    try report.check()
    #expect(Array(report.unproven.keys) == [.callsNextAsDeclared])
  }

  @Test(
    "Hops are followed and reported, in the response and in the trace; the URLs are in neither's description")
  func exchange() async throws {
    let server = ScriptedDispatcher { _, number in
      switch number {
      case 1: Self.redirect("/b?code=secret", status: .seeOther)
      case 2: Self.redirect("https://c.example/d#part", status: .permanentRedirect)
      default: Response(status: .ok, bytes: [7])
      }
    }
    let recorder = TraceRecorder()
    let pipeline = try Pipeline(over: server, observers: [recorder]) { RedirectInterceptor() }
    let request = Request(method: .post, authority: "a.example", path: "/a", body: .text("x"))
    let response = try await pipeline.send(request)
    #expect(response.status == .ok)
    #expect(
      response.exchange.redirects == [
        .init(status: .seeOther, method: .get, url: "https://a.example/b?code=secret"),
        .init(status: .permanentRedirect, method: .get, url: "https://c.example/d#part"),
      ])
    #expect(
      response.exchange.redirects.map(\.description) == [
        "303 GET https://a.example/b", "308 GET https://c.example/d",
      ])
    #expect(!"\(response.exchange)".contains("secret"))
    var dumped = ""
    dump(response.exchange, to: &dumped)
    #expect(!dumped.contains("secret"))
    let trace = try #require(recorder.trace(of: request.id))
    #expect(trace.redirects == response.exchange.redirects)
    #expect(trace.steps.filter { $0.name == "ScriptedDispatcher" }.count == 3)
    #expect(server.requests.map(\.id) == [request.id, request.id, request.id])
  }

  @Test("Without a redirect the response is returned as it is, and the request is sent unchanged")
  func untouched() async throws {
    let source = ScriptedByteSource([[1]])
    let server = ScriptedDispatcher { _, _ in
      Response(HTTPResponse(status: .ok), body: .stream(BodyStream(length: 1, source)))
    }
    let chain = server.intercepted(by: RedirectInterceptor())
    let response = try await chain.dispatch(Request(authority: "a.example", path: "/"))
    #expect(response.exchange.redirects == [])
    #expect(try await response.body.collect(upTo: 9) == [1])
    #expect(server.requests.count == 1)
  }

  @Test("The body of a response that redirects is released before the next hop")
  func releasesBodies() async throws {
    let source = ScriptedByteSource([[1], [2]])
    let server = ScriptedDispatcher { _, number in
      guard number == 1 else { return Response(status: source.isCancelled ? .ok : .conflict) }
      return Self.redirect("/b", body: .stream(BodyStream(length: nil, source)))
    }
    let chain = server.intercepted(by: RedirectInterceptor())
    let response = try await chain.dispatch(Request(authority: "a.example", path: "/"))
    #expect(response.status == .ok)
    #expect(source.reads == 0)
  }

  @Test("A thousand hops end at the limit, with an error that the chain attributes")
  func hopLimit() async throws {
    let server = ScriptedDispatcher { _, number in Self.redirect("/hop/\(number)?secret") }
    let pipeline = try Pipeline(over: server) { RedirectInterceptor() }
    let error = try #require(
      await #expect(throws: NetworkError.self) {
        try await pipeline.send(Request(authority: "a.example", path: "/"))
      })
    #expect(server.requests.count == 21)
    #expect(error.kind == .rejected)
    #expect(error.origin == .interceptor("RedirectInterceptor"))
    #expect(error.requestMayHaveBeenProcessed)
    let failure = try #require(error.underlying(as: RedirectError.self))
    #expect(failure.rule == .tooMany(limit: 20))
    #expect(failure.hops.count == 22)
    #expect(!"\(error)".contains("secret") && error.reason.contains("https://a.example/hop/20"))
  }

  @Test(
    "A refused redirect has a typed error, and nothing else is sent",
    arguments: [
      ("data:,x", NetworkError.Kind.rejected), ("javascript:alert(1)", .rejected),
      ("http://a.example/", .rejected),
      ("https://user:secret@a.example/", .protocolViolation), ("https://a b/", .protocolViolation),
    ])
  func refusals(_ location: String, kind: NetworkError.Kind) async throws {
    let server = ScriptedDispatcher { _, _ in Self.redirect(location) }
    let pipeline = try Pipeline(over: server) { RedirectInterceptor() }
    let error = try #require(
      await #expect(throws: NetworkError.self) {
        try await pipeline.send(Request(authority: "a.example", path: "/"))
      })
    #expect(error.kind == kind)
    #expect(error.underlying(as: RedirectError.self) != nil)
    #expect(!"\(error)".contains("secret"))
    #expect(server.requests.count == 1)
  }

  @Test("A body that can be sent once fails at a 307 with the redirect as the reason")
  func bodyNotReplayable() async throws {
    let server = ScriptedDispatcher { _, _ in Self.redirect("/b", status: .temporaryRedirect) }
    let chain = server.intercepted(by: RedirectInterceptor())
    let body = RequestBody.once(length: 1, ScriptedByteSource([[1]]))
    let error = try #require(
      await #expect(throws: NetworkError.self) {
        try await chain.dispatch(Request(method: .put, authority: "a.example", path: "/a", body: body))
      })
    #expect(error.kind == .bodyNotReplayable)
    #expect(error.requestMayHaveBeenProcessed)
    #expect(error.reason.contains("redirect") && error.reason.contains("307 PUT https://a.example/b"))
    #expect(server.requests.count == 1)
  }

  @Test("The mode of a call returns the redirect, or makes it an error")
  func modes() async throws {
    let server = ScriptedDispatcher { _, _ in Self.redirect("estate://login?code=1") }
    let chain = server.intercepted(by: RedirectInterceptor())
    var request = Request(authority: "a.example", path: "/")
    #expect(request.context.redirects == .follow)
    request.context.redirects = .manual
    let response = try await chain.dispatch(request)
    #expect(response.status == .found)
    #expect(response.head.headerFields[.location] == "estate://login?code=1")
    #expect(response.exchange.redirects == [])
    request.context.redirects = .refuse
    let error = await #expect(throws: NetworkError.self) { try await chain.dispatch(request) }
    #expect(error?.underlying(as: RedirectError.self)?.rule == .refused)
  }

  @Test("An error of a later hop is passed on unchanged, and a cancelled call makes no further hop")
  func failures() async throws {
    let failing = ScriptedDispatcher { _, number throws(NetworkError) in
      if number == 2 { throw NetworkError(.connect, "Refused.") }
      return Self.redirect("/b")
    }
    let error = await #expect(throws: NetworkError.self) {
      try await failing.intercepted(by: RedirectInterceptor()).dispatch(
        Request(authority: "a.example", path: "/"))
    }
    #expect(error?.kind == .connect && error?.reason == "Refused.")

    let endless = ScriptedDispatcher { _, number in
      withUnsafeCurrentTask { $0?.cancel() }
      return Self.redirect("/\(number)")
    }
    let pipeline = try Pipeline(over: endless) { RedirectInterceptor() }
    let cancelled = await Task {
      await #expect(throws: NetworkError.self) {
        try await pipeline.send(Request(authority: "a.example", path: "/"))
      }
    }.value
    #expect(cancelled?.kind == .cancelled(.task))
    #expect(endless.requests.count == 1)
  }
}
