import HTTPTypes
import Interception
import Testing

@testable import URLSessionTransport

@Suite struct RequestPlanTests {
  private func request(
    _ method: HTTPRequest.Method = .get, body: RequestBody = .empty, fields: HTTPFields = [:]
  ) -> Request {
    Request(method: method, authority: "api.example.org", path: "/", headerFields: fields, body: body)
  }

  private func plan(_ request: Request, userAgent: String? = "Switchyard") throws(NetworkError) -> RequestPlan
  {
    try RequestPlan(request, userAgent: userAgent, behavior: .current)
  }

  private func value(_ name: String, _ plan: RequestPlan) -> String? {
    plan.fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  @Test("Repeated fields are joined, cookies by semicolons")
  func repeatedFields() throws {
    var fields = HTTPFields()
    for (name, value) in [("X-Twice", "a"), ("Cookie", "a=1"), ("x-twice", "b"), ("cookie", "b=2")] {
      fields.append(HTTPField(name: try #require(.init(name)), value: value))
    }
    let plan = try plan(request(fields: fields))
    #expect(value("X-Twice", plan) == "a, b")
    #expect(value("Cookie", plan) == "a=1; b=2")
    #expect(plan.fields.count { $0.name.lowercased() == "cookie" } == 1)
  }

  @Test("Fields that Foundation would set have neutral values, unless the caller sets them")
  func neutralFields() throws {
    let neutral = try plan(request(.post, body: .text("x")))
    #expect(value("Accept-Language", neutral) == "*")
    #expect(value("Accept-Encoding", neutral) == "identity")
    #expect(value("Content-Type", neutral) == "application/octet-stream")
    #expect(value("User-Agent", neutral) == "Switchyard")
    let own = try plan(
      request(
        .post, body: .text("x"),
        fields: [.acceptLanguage: "de", .contentType: "text/plain", .userAgent: "me", .acceptEncoding: "br"]))
    #expect(value("Accept-Language", own) == "de")
    #expect(value("Content-Type", own) == "text/plain")
    #expect(value("User-Agent", own) == "me")
    #expect(value("Accept-Encoding", own) == "br")
    #expect(value("Content-Type", try plan(request())) == nil)
  }

  @Test(
    "A field that contradicts the request or belongs to the connection is refused",
    arguments: [
      ("Host", "other"), ("Content-Length", "7"), ("Transfer-Encoding", "chunked"), ("Connection", "close"),
      ("Proxy-Authorization", "Basic eDp5"),
      ("Expect", "100-continue"), ("Upgrade", "x"), ("TE", "trailers"),
    ])
  func refusedField(name: String, value: String) throws {
    let fields = HTTPFields([HTTPField(name: try #require(.init(name)), value: value)])
    let error = #expect(throws: NetworkError.self) { try plan(request(fields: fields)) }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.reason.contains(name) == true)
  }

  @Test(
    "A body is refused with a method for which URLSession sends none",
    arguments: [HTTPRequest.Method.get, .head, .trace])
  func bodyWithoutMeaning(method: HTTPRequest.Method) {
    let error = #expect(throws: NetworkError.self) { try plan(request(method, body: .text("x"))) }
    #expect(error?.kind == .invalidRequest)
  }

  @Test("A connect target is refused, not ignored")
  func connectTarget() {
    var elsewhere = request()
    elsewhere.context.connectTarget = ConnectTarget(address: "127.0.0.1")
    let error = #expect(throws: NetworkError.self) { try plan(elsewhere) }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.reason.contains("connect target") == true)
  }

  @Test("Trailer fields are refused, not ignored")
  func trailers() {
    var trailed = request(.put, body: .text("x"))
    trailed.trailers = RequestTrailers([.eTag]) { [:] }
    let error = #expect(throws: NetworkError.self) { try plan(trailed) }
    #expect(error?.kind == .unsupported)
    #expect(error?.reason.contains("CurlDispatcher") == true)
  }

  @Test("Requests that must not be sent twice use a new connection if Foundation resends")
  func ownConnection() throws {
    var behavior = PlatformBehavior.current
    for resends in [true, false] {
      behavior.resendsUsedUpBodies = resends
      let own = try [request(.post), request(.put, body: .text("x")), request(.patch)].map { request in
        try RequestPlan(request, userAgent: nil, behavior: behavior).needsOwnConnection
      }
      #expect(own == [resends, resends, resends])
      #expect(try !RequestPlan(request(.delete), userAgent: nil, behavior: behavior).needsOwnConnection)
    }
  }

  @Test("An invalid User-Agent in the configuration is refused")
  func userAgent() {
    let error = #expect(throws: NetworkError.self) { try plan(request(), userAgent: "a\r\nEvil: 1") }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.reason.contains("userAgent") == true)
  }

  @Test("A body that declares a negative length is refused")
  func negativeLength() {
    let body = RequestBody.restartable(length: -5) { () throws(NetworkError) in
      throw NetworkError(.transport, "The body must not be read.")
    }
    let error = #expect(throws: NetworkError.self) { try plan(request(.post, body: body)) }
    #expect(error?.kind == .invalidRequest)
  }
}
