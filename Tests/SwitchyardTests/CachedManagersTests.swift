import Switchyard
import SwitchyardTesting
import Testing

@Suite("Managers over a cache", .timeLimit(.minutes(5)))
@MainActor struct CachedManagersTests {
  private struct Prices: API {
    static let endpoint = Endpoint<NoParams>(
      Service("estate", at: ServiceAddress(authority: "estate.example")), "prices", path: "/prices",
      cacheRule: .timed())

    func validate(_ response: APIResponse) throws(ResponseError) {
      guard response.text != "maintenance" else {
        throw .invalid("The service is under maintenance; try again later.")
      }
    }
  }

  private func client(over dispatcher: ScriptedDispatcher) throws -> APIClient {
    APIClient(dispatcher: try Pipeline(over: dispatcher) { CachingInterceptor() })
  }

  /// Refuses every load.
  private struct Curfew: APIHooks {
    func shouldLoad(_ call: APICall) -> Bool { false }
  }

  private struct Search: API {
    struct Params: Encodable, Sendable {
      var city: String
    }
    static let endpoint = Endpoint<Params>(
      Service("estate", at: ServiceAddress(authority: "estate.example")), "search", path: "/search",
      cacheRule: .timed())

    func validate(_ params: Params) throws(ParamsError) {
      guard !params.city.isEmpty else { throw ParamsError(field: "city", "choose a city.") }
    }
  }

  @Test(
    "A11: A load tells sent, cached, vetoed, invalid, offline and downgraded apart, with the shipped cache")
  func outcomes() async throws {
    let dispatcher = ScriptedDispatcher(answering: Response(status: .ok, bytes: Array("[]".utf8)))
    let cache = CachingInterceptor()
    let network = ReachabilityState()
    let downgrades = DowngradeList()
    let client = APIClient(
      dispatcher: try Pipeline(over: dispatcher) { cache }, reachability: network, downgrades: downgrades,
      storedState: cache.storedState(for:))
    let manager = APIManager(Search(), client: client)
    let (lodi, galt) = (Search.Params(city: "Lodi"), Search.Params(city: "Galt"))

    let sent = manager.load(lodi)
    #expect(sent == .sent(try #require(sent.request)))
    _ = try await manager.response(for: lodi)
    let cached = manager.load(lodi)
    #expect(cached == .cached(try #require(cached.request)))
    let other = manager.load(galt)
    #expect(other == .sent(try #require(other.request)))
    let reload = manager.load(lodi, cacheMode: .reload)
    #expect(reload == .sent(try #require(reload.request)))
    #expect(
      manager.load(Search.Params(city: "")) == .invalid(ParamsError(field: "city", "choose a city.")))
    manager.hooks = [Curfew()]
    #expect(manager.load(lodi) == .vetoed(by: "Curfew"))
    manager.hooks = []

    // Offline the stored response is used, and nothing is sent for what is not stored.
    network.update(.offline)
    let stored = manager.load(lodi)
    #expect(stored == .cached(try #require(stored.request)))
    #expect(try await manager.response(for: lodi).isFromCache)
    #expect(manager.load(Search.Params(city: "Modesto")) == .offline)
    #expect(!dispatcher.requests.contains { $0.head.path?.contains("Modesto") == true })

    downgrades.switchOff(Search.identity, because: "Later.")
    #expect(manager.load(lodi) == .downgraded(reason: "Later."))
  }

  @Test("A6: A response that the API's validator rejects is a failure, and is not stored")
  func rejectedResponse() async throws {
    let dispatcher = ScriptedDispatcher { _, number throws(NetworkError) in
      Response(status: .ok, bytes: Array((number == 1 ? "maintenance" : "ready").utf8))
    }
    let manager = APIManager(Prices(), client: try client(over: dispatcher))
    let failure = await #expect(throws: APIError.self) { try await manager.response() }
    #expect(failure?.kind == .invalidResponse)
    #expect(try await manager.response().text == "ready")
    let third = try await manager.response()
    #expect(third.text == "ready" && third.isFromCache)
    #expect(dispatcher.requests.count == 2)
  }
}
