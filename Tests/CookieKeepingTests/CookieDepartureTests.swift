import HTTPTypes
import Interception
import RequestAuthorization
import RequestSharing
import ResponseCaching
import SwitchyardTesting
import Testing

@testable import CookieKeeping

/// Cookies beside the interceptors that respond by themselves, send a request again, or share a transfer.
@Suite("Cookies at the departure", .timeLimit(.minutes(5)))
struct CookieDepartureTests {
  /// Does something to a request between the stage of cookies and the cache.
  private struct Between: Interceptor {
    let traits = InterceptorTraits(stage: .signing)
    let act: @Sendable (inout Request) -> Void

    func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
      var request = request
      act(&request)
      return try await next.dispatch(request)
    }
  }

  private static let time = TimeSource(TestClock())

  private static func get(_ path: String = "/me", in partition: String = "") -> Request {
    var request = Request(authority: "estate.example", path: path)
    request.context.partition = partition
    return request
  }

  /// A response that may be stored for a minute.
  private static func fresh(_ text: String, _ fields: HTTPFields = [:]) -> Response {
    var fields = fields
    fields[.cacheControl] = "max-age=60"
    fields[.date] = HTTPDate.format(time.wallTime())
    return Response(status: .ok, headerFields: fields, bytes: Array(text.utf8))
  }

  private static func caching(_ sharing: CacheSharing = .private) -> CachingInterceptor {
    CachingInterceptor(defaultRule: .stated(), isShared: sharing == .shared, time: time)
  }

  private static func cookies(_ request: Request) -> String {
    request.head.headerFields.filter { $0.name == .cookie }.map(\.value).joined(separator: " | ")
  }

  private static func text(_ response: Response) async throws -> String {
    String(decoding: try await response.body.collect(upTo: 1_024), as: UTF8.self)
  }

  @Test("H4: Cookies of a 304 are kept, although the caller receives the stored response; its own are not")
  func notModified() async throws {
    let store = CookieStore()
    let server = ScriptedDispatcher { request, number in
      guard request.head.headerFields.contains(.ifNoneMatch) else {
        return Response(
          status: .ok,
          headerFields: [.cacheControl: "no-cache", .eTag: "\"1\"", .setCookie: "stored=1; Max-Age=9"],
          bytes: [1])
      }
      return Response(status: .notModified, headerFields: [.eTag: "\"1\"", .setCookie: "id=\(number)"])
    }
    let chain = try Pipeline(over: server) {
      CookieInterceptor(store)
      Self.caching()
    }
    _ = try await chain.send(Self.get(in: "north"))
    store.removeAll(in: "north")
    #expect(try await chain.send(Self.get(in: "north")).exchange.cache?.isHit == true)
    #expect(store.cookies(in: "north").map { "\($0.name)=\($0.value)" } == ["id=2"])
    _ = try await chain.send(Self.get(in: "north"))
    #expect(server.requests.map(Self.cookies) == ["", "", "id=2"])
  }

  @Test("H4: Cookies of a 401 are sent with the replay and with later requests")
  func challenge() async throws {
    let server = ScriptedDispatcher { request, _ in
      let fields = request.head.headerFields
      guard Self.cookies(request) == "fake=value", fields.contains(.authorization) else {
        return Response(
          status: .unauthorized,
          headerFields: [
            .wwwAuthenticate: "Digest realm=\"r\", nonce=\"n\", qop=\"auth\"", .setCookie: "fake=value",
          ])
      }
      return Response(status: .ok)
    }
    let authorization = try AuthorizationInterceptor(
      DigestAuthorization(user: "user", password: "password"), for: ["estate.example"])
    let chain = try Pipeline(over: server) {
      CookieInterceptor()
      authorization
      Self.caching()
    }
    for _ in 1...2 { #expect(try await chain.send(Self.get()).status == .ok) }
    #expect(server.requests.map(Self.cookies) == ["", "fake=value", "fake=value"])
  }

  @Test(
    "A response for cookies that changed behind the stage is not stored for those before",
    arguments: ["", "north"])
  func changedMeanwhile(partition: String) async throws {
    let store = CookieStore()
    let server = ScriptedDispatcher { request, _ in
      Self.fresh("of \(Self.cookies(request))", [.vary: "Cookie"])
    }
    let chain = try Pipeline(over: server) {
      CookieInterceptor(store)
      Between { request in
        guard request.head.path == "/me?login" else { return }
        store.store(["id=1"], from: Self.get(in: partition))
        request.head.path = "/me"
      }
      Self.caching()
    }
    let (login, get) = (Self.get("/me?login", in: partition), Self.get(in: partition))
    #expect(try await Self.text(chain.send(login)) == "of id=1")
    store.removeAll(in: partition)
    #expect(try await Self.text(chain.send(get)) == "of ")
    #expect(try await chain.send(get).exchange.cache?.isHit == true)
    // A stored response is used for the cookies that the request would be sent with.
    store.store(["id=1"], from: get)
    #expect(try await Self.text(chain.send(get)) == "of id=1")
    #expect(try await chain.send(get).exchange.cache?.isHit == true)
    #expect(server.requests.map(Self.cookies) == ["id=1", "", "id=1"])
  }

  @Test("A response to a request that left before a removal of its partition sets no cookies")
  func removedMeanwhile() async throws {
    let store = CookieStore()
    let server = ScriptedDispatcher { request, _ in
      switch request.head.path {
      case "/logout": store.removeAll(in: "north")
      case "/reset": store.removeAll()
      case "/other": store.removeAll(in: "south")
      default: break
      }
      return Response(status: .ok, headerFields: [.setCookie: "id=\(request.head.path?.dropFirst() ?? "")"])
    }
    let chain = try Pipeline(over: server) { CookieInterceptor(store) }
    func value(after path: String) async throws -> String? {
      _ = try await chain.send(Self.get(path, in: "north"))
      return store.cookies(in: "north").first?.value
    }
    #expect(try await value(after: "/login") == "login")
    #expect(try await value(after: "/logout") == nil)
    #expect(try await value(after: "/again") == "again", "This one left after the removal.")
    #expect(try await value(after: "/other") == "other")
    #expect(try await value(after: "/reset") == nil)
  }

  @Test(
    "A request on its way when the cookies are removed leaves without them, and its response sets cookies")
  func removedBeforeDeparture() async throws {
    let store = CookieStore()
    store.store(["id=old"], from: Self.get())
    let server = ScriptedDispatcher { _, _ in
      Response(status: .ok, headerFields: [.setCookie: "id=new"])
    }
    let chain = try Pipeline(over: server) {
      CookieInterceptor(store)
      Between { _ in store.removeAll() }
      Self.caching()
    }
    _ = try await chain.send(Self.get())
    #expect(server.requests.map(Self.cookies) == [""])
    #expect(store.cookies().map(\.value) == ["new"])
  }

  @Test("An API's own check of what may be stored remains in force")
  func storageCheck() async throws {
    let server = ScriptedDispatcher { _, _ in Self.fresh("me") }
    let chain = try Pipeline(over: server) {
      CookieInterceptor()
      Self.caching()
    }
    var refusing = Self.get()
    refusing.context.storageCheck = CacheRule.StorageCheck { _, _ in false }
    for _ in 1...2 { _ = try await chain.send(refusing) }
    #expect(server.requests.count == 2)
    for _ in 1...2 { _ = try await chain.send(Self.get()) }
    #expect(server.requests.count == 3)
  }

  @Test("A field of the request's own, or of another interceptor, is left alone at the departure")
  func otherFields() async throws {
    let store = CookieStore()
    let server = ScriptedDispatcher()
    let chain = try Pipeline(over: server) {
      CookieInterceptor(store)
      Between { request in
        store.store(["id=\(request.head.path ?? "")"], from: Self.get())
        guard request.head.path == "/added" else { return }
        request.head.headerFields.append(HTTPField(name: .cookie, value: "added=1"))
      }
      Self.caching()
    }
    _ = try await chain.send(
      Request(authority: "estate.example", path: "/own", headerFields: [.cookie: "own=1"]))
    store.removeAll()
    _ = try await chain.send(Self.get("/added"))
    _ = try await chain.send(Self.get("/added"))
    _ = try await chain.send(Self.get("/plain"))
    #expect(server.requests.map(Self.cookies) == ["own=1", "added=1", "id=/added | added=1", "id=/plain"])
  }

  @Test("A shared cache stores responses to requests with cookies as before")
  func sharedCache() async throws {
    let store = CookieStore()
    store.store(["id=1"], from: Self.get())
    let server = ScriptedDispatcher { _, _ in Self.fresh("public") }
    let chain = try Pipeline(over: server) {
      CookieInterceptor(store)
      Self.caching(.shared)
    }
    for _ in 1...2 { _ = try await chain.send(Self.get()) }
    #expect(server.requests.count == 1)
  }

  @Test(
    "I2: A request after a login that set a cookie doesn't join one that was sent before it",
    arguments: [false, true])
  func login(hasAccount: Bool) async throws {
    let (hold, arrived) = (WaitableValue(false), WaitableValue(0))
    let server = ScriptedDispatcher { request, _ throws(NetworkError) in
      guard request.head.path == "/me" else {
        return Response(status: .noContent, headerFields: [.setCookie: "id=7"])
      }
      arrived.update { $0 += 1 }
      let cookies = Self.cookies(request)
      if cookies.isEmpty { _ = try? await hold.wait { $0 } }
      return Response(status: .ok, bytes: Array("of \(cookies)".utf8))
    }
    // Contributes the partition, behind the stage of cookies.
    let account = try AuthorizationInterceptor(
      BasicAuthorization(user: "ann", password: "secret"), for: ["estate.example"])
    let chain = try Pipeline(over: server) {
      SharingInterceptor()
      CookieInterceptor()
      if hasAccount { account }
    }
    async let before = Self.text(chain.send(Self.get()))
    _ = try await arrived.wait { $0 == 1 }
    _ = try await chain.send(Request(method: .post, authority: "estate.example", path: "/login"))
    let after = try await Self.text(chain.send(Self.get()))
    #expect(after == "of id=7")
    hold.update { $0 = true }
    #expect(try await before == "of ")
  }
}
