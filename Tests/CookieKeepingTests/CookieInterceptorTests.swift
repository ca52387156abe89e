import CookieKeeping
import HTTPTypes
import Interception
import RedirectFollowing
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CookieInterceptorTests {
  private static func response(
    _ status: HTTPResponse.Status = .ok, setting lines: [String], exchange: Exchange = Exchange(attempts: 1)
  ) -> Response {
    // Lenient as a dispatcher is, so that control characters stay.
    let fields = HTTPFields(lines.map { HTTPField(name: .setCookie, lenientValue: $0.utf8) })
    return Response(HTTPResponse(status: status, headerFields: fields), exchange: exchange)
  }

  @Test("Cookies satisfy the laws of interceptors, with and without cookies in the store")
  func laws() async throws {
    let report = await checkInterceptorLaws(CookieInterceptor())
    try report.check()
    #expect(report.unproven == [:])
    let store = CookieStore()
    let server = ScriptedDispatcher(answering: Self.response(setting: ["id=1"]))
    _ = try await server.intercepted(by: CookieInterceptor(store)).dispatch(
      Request(authority: "api.switchyard.test", path: "/"))
    try await checkInterceptorLaws(CookieInterceptor(store)).check()
  }

  @Test("Requests with the same cookies have the same identity, and those without have none")
  func identity() async throws {
    let cookies = CookieInterceptor()
    let server = ScriptedDispatcher { _, number in Self.response(setting: ["id=\(number); Path=/home"]) }
    let home = Request(authority: "estate.example", path: "/home")
    func identity(_ request: Request) -> Request.Identity? { cookies.identity(for: request) }
    #expect(identity(home) == nil)
    _ = try await server.intercepted(by: cookies).dispatch(home)
    let first = try #require(identity(home))
    #expect(identity(home) == first)
    #expect(identity(Request(authority: "estate.example", path: "/")) == nil)
    #expect(
      identity(Request(authority: "estate.example", path: "/home", headerFields: [.cookie: "a=1"])) == nil)
    _ = try await server.intercepted(by: cookies).dispatch(home)
    #expect(identity(home) != first)
  }

  @Test("Cookies of a response are sent with the next request, and an error status sets them too")
  func keeping() async throws {
    let server = ScriptedDispatcher { _, number in
      switch number {
      case 1: Self.response(.unauthorized, setting: ["a=1", "b=2; Path=/other", "bad=\u{7F}"])
      case 2: Self.response(setting: ["a=; Max-Age=0", "c=3"])
      default: Self.response(setting: [])
      }
    }
    let chain = server.intercepted(by: CookieInterceptor())
    for _ in 1...3 { _ = try await chain.dispatch(Request(authority: "estate.example", path: "/x")) }
    _ = try await chain.dispatch(Request(authority: "other.example", path: "/x"))
    #expect(server.requests.map { $0.head.headerFields[.cookie] } == [nil, "a=1", "c=3", nil])
  }

  @Test("A request's own Cookie field is sent unchanged, and the cookies of its response are kept")
  func ownField() async throws {
    let store = CookieStore()
    let server = ScriptedDispatcher(answering: Self.response(setting: ["a=1"]))
    let chain = server.intercepted(by: CookieInterceptor(store))
    let own = Request(authority: "estate.example", path: "/", headerFields: [.cookie: "own=9"])
    for _ in 1...2 { _ = try await chain.dispatch(own) }
    #expect(server.requests.map { $0.head.headerFields[.cookie] } == ["own=9", "own=9"])
    #expect(store.cookies().map(\.name) == ["a"])
  }

  @Test("A response from the cache sets no cookies again")
  func cachedResponses() async throws {
    let store = CookieStore()
    for status in [Exchange.CacheStatus.hit(ttl: 5), .revalidated()] {
      let server = ScriptedDispatcher(
        answering: Self.response(setting: ["a=1"], exchange: Exchange(cache: status)))
      _ = try await server.intercepted(by: CookieInterceptor(store)).dispatch(
        Request(authority: "estate.example", path: "/"))
    }
    #expect(store.cookies().isEmpty)
  }

  @Test("Each hop of a redirect has the cookies of its own host, and those that the hop before set")
  func redirects() async throws {
    let server = ScriptedDispatcher { request, number in
      var response = Self.response(.found, setting: ["hop\(number)=1; Path=/"])
      switch number {
      // Back to itself, in order to receive the cookie.
      case 1: response.head.headerFields[.location] = "/"
      case 2: response.head.headerFields[.location] = "https://other.example/"
      case 3: response.head.headerFields[.location] = "https://estate.example/end"
      default: response = Response(status: .ok)
      }
      return response
    }
    let pipeline = try Pipeline(over: server) {
      RedirectInterceptor()
      CookieInterceptor()
    }
    let response = try await pipeline.send(Request(authority: "estate.example", path: "/"))
    #expect(response.status == .ok && response.exchange.redirects.count == 3)
    #expect(
      server.requests.map { $0.head.headerFields[.cookie] } == [nil, "hop1=1", nil, "hop1=1; hop2=1"])
  }

  @Test("Ten thousand cookies of one response are bounded, and the values are in no error")
  func manyCookies() async throws {
    let store = CookieStore()
    let lines = (0..<10_000).map { "n\($0)=secret" }
    let server = ScriptedDispatcher { _, number throws(NetworkError) in
      if number > 1 { throw NetworkError(.connect, "Refused.") }
      return Self.response(setting: lines)
    }
    let pipeline = try Pipeline(over: server) { CookieInterceptor(store) }
    let request = Request(authority: "estate.example", path: "/")
    _ = try await pipeline.send(request)
    #expect(store.cookies().count == 50)
    let error = try #require(await #expect(throws: NetworkError.self) { try await pipeline.send(request) })
    #expect(!"\(error)".contains("secret"))
    #expect(!"\(store.cookies())".contains("secret"))
  }
}
