import HTTPTypes
import Interception
import RequestAuthorization
import RequestSharing
import ResponseCaching
import SwitchyardTesting
import Testing

@testable import CookieKeeping

/// Cookies beside the interceptors that respond by themselves, send a request again, or share a transfer.
@Suite("Cookies at the departure", .timeLimit(.minutes(1)))
struct CookieDepartureTests {
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
    CachingInterceptor(defaultRule: .stated(), sharing: sharing, time: time)
  }

  private static func cookies(_ request: Request) -> String {
    request.head.headerFields.filter { $0.name == .cookie }.map(\.value).joined(separator: " | ")
  }

  private static func text(_ response: Response) async throws -> String {
    String(decoding: try await response.body.collect(upTo: 1_024), as: UTF8.self)
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
