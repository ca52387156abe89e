import HTTPTypes
import Switchyard
import SwitchyardTesting
import Testing

/// An interceptor that adds credentials behind a cache that is part of another chain.
@Suite("Identities of nested chains", .timeLimit(.minutes(5)))
struct NestedIdentityTests {
  private let member: BearerAuthorization
  private let authorization: AuthorizationInterceptor
  private let server = ScriptedDispatcher { request, _ throws(NetworkError) in
    Response(
      status: .ok, headerFields: [.cacheControl: "max-age=60"],
      bytes: Array((request.head.headerFields[.authorization] ?? "none").utf8))
  }

  init() throws {
    member = BearerAuthorization(try AccessToken("a"), account: "ann")
    authorization = try AuthorizationInterceptor(member, for: ["api.example"])
  }

  private func check(_ chain: Pipeline) async throws {
    for (login, isHit) in [("ann", false), ("ann", true), ("bob", false), ("bob", true)] {
      if member.token?.value != login { member.replaceToken(with: try AccessToken(login), account: login) }
      let response = try await chain.send(Request(authority: "api.example", path: "/me"))
      #expect(response.exchange.cache?.isHit == isHit)
      #expect(try await response.body.collect(upTo: 64) == Array("Bearer \(login)".utf8))
    }
  }

  @Test("I2: A cache gives no response to another account if a pipeline behind it adds the credentials")
  func nestedPipeline() async throws {
    let inner = try Pipeline(over: server) { authorization }
    try await check(
      try Pipeline(over: inner) {
        SharingInterceptor()
        CachingInterceptor(defaultRule: .stated())
      })
  }

  private struct Profile: API {
    static let endpoint = Endpoint<NoParams>(
      Service("estate", at: ServiceAddress(authority: "api.example")), "me", path: "/me", cacheRule: .timed())
  }

  @Test(
    "Without a network a client finds what is stored for the account of its credentials, until it is invalid")
  @MainActor func storedState() async throws {
    let cache = CachingInterceptor()
    let network = ReachabilityState()
    let client = APIClient(
      dispatcher: try Pipeline(over: server) {
        authorization
        cache
      }, reachability: network, storedState: cache.storedState(for:))
    let manager = APIManager(Profile(), client: client)
    _ = try await manager.load(.response)
    network.update(.offline)
    let stored = manager.load()
    #expect(stored == .cached(try #require(stored.request)))
    #expect(try await manager.load(.response).isFromCache)
    let request = Request(authority: "api.example", path: "/me")
    #expect(await cache.invalidate(request) == 1)
    #expect(manager.load() == .offline)
  }
}
