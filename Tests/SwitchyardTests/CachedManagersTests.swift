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
    _ = try await manager.load(.response, for: lodi)
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
    #expect(try await manager.load(.response, for: lodi).isFromCache)
    #expect(manager.load(Search.Params(city: "Modesto")) == .offline)
    #expect(!dispatcher.requests.contains { $0.head.path?.contains("Modesto") == true })

    downgrades.switchOff(Search.identity, because: "Later.")
    #expect(manager.load(lodi) == .downgraded(reason: "Later."))
  }

  @Test("D4: An API's rule alone has its responses stored; its service does nothing for it")
  func rule() async throws {
    let dispatcher = ScriptedDispatcher(answering: Response(status: .ok, bytes: Array("12".utf8)))
    let client = try client(over: dispatcher)
    #expect(try await client.load(Prices()).text == "12")
    #expect(try await client.load(Prices()).text == "12")
    #expect(dispatcher.requests.count == 1)
  }

  @Test("A tag that a mutation makes stale removes the stored responses that have it")
  func tags() async throws {
    struct TaggedPrices: API {
      static let endpoint = Endpoint<NoParams>(
        Service("estate", at: ServiceAddress(authority: "estate.example")), "tagged", path: "/tagged",
        cacheRule: .timed())

      func tags(for params: NoParams) -> Set<DataTag> { ["prices"] }
    }
    let dispatcher = ScriptedDispatcher(answering: Response(status: .ok, bytes: Array("12".utf8)))
    let cache = CachingInterceptor()
    let client = APIClient(dispatcher: try Pipeline(over: dispatcher) { cache })
    let registry = TagRegistry { await cache.wipe(tags: $0) }
    for _ in 0..<2 {
      _ = try await client.load(TaggedPrices())
      _ = try await client.load(Prices())
    }
    #expect(dispatcher.requests.count == 2)
    await registry.invalidate(["prices"])
    _ = try await client.load(TaggedPrices())
    _ = try await client.load(Prices())
    #expect(dispatcher.requests.map(\.head.path) == ["/tagged", "/prices", "/tagged"])
  }

  /// Records the calls of hooks and delegate, and whether the response came from the cache.
  private final class Diary: APIHooks, APIManagerDelegate {
    private var lines: [String] = []
    private var ends: [CheckedContinuation<Void, Never>] = []
    private var count = 0

    /// Returns the calls since the last time, after `count` loads have ended in all.
    func page(after count: Int) async -> [String] {
      while self.count < count { await withCheckedContinuation { ends.append($0) } }
      defer { lines = [] }
      return lines
    }

    private func end() {
      count += 1
      for waiting in ends { waiting.resume() }
      ends = []
    }

    func shouldLoad(_ call: APICall) -> Bool {
      lines.append("shouldLoad \(call.manager)")
      return true
    }
    func didSend(_ call: APICall) { lines.append("didSend \(call.manager)") }
    func didReceive(_ result: Result<APIResponse, APIError>, of manager: any APIManaging) {
      lines.append("didReceive \((try? result.get())?.text ?? "failure")")
    }
    func beforeSuccess(_ response: APIResponse, of manager: any APIManaging) -> Bool {
      lines.append("beforeSuccess \(response.text ?? "")")
      return true
    }
    func afterSuccess(_ response: APIResponse, of manager: any APIManaging) {
      lines.append("afterSuccess \(response.text ?? "")")
      end()
    }
    func afterFailure(_ error: APIError, of manager: any APIManaging) {
      lines.append("afterFailure")
      end()
    }
    func managerDidSucceed(_ manager: any APIManaging, with response: APIResponse) {
      lines.append("delegate \(response.text ?? "")")
    }
    func managerDidFail(_ manager: any APIManaging, with error: APIError) { lines.append("delegate failed") }
  }

  /// An API that counts how often a response is validated and decoded.
  private struct Counted: API {
    let validations = WaitableValue(0)
    let decodings = WaitableValue(0)
    static let endpoint = Endpoint<NoParams>(
      Service("estate", at: ServiceAddress(authority: "estate.example")), "counted", path: "/counted",
      cacheRule: .timed())

    func validate(_ response: APIResponse) throws(ResponseError) { validations.update { $0 += 1 } }

    func output(from response: APIResponse) throws -> [Int] {
      decodings.update { $0 += 1 }
      return try response.json()
    }
  }

  @Test("A response is validated and decoded once, when it is stored and when it is taken from the cache")
  func readOnce() async throws {
    let dispatcher = ScriptedDispatcher(answering: Response(status: .ok, bytes: Array("[7]".utf8)))
    let client = APIClient(
      dispatcher: try Pipeline(over: dispatcher) {
        SharingInterceptor()
        RetryInterceptor()
        CookieInterceptor()
        CachingInterceptor()
      })
    let api = Counted()
    for loads in 1...2 {
      #expect(try await client.load(api) == [7])
      #expect(api.validations.value == loads)
      #expect(api.decodings.value == loads)
    }
    #expect(dispatcher.requests.count == 1)
  }

  @Test(
    "B8: A response from the cache passes the same hooks as one from the server, in the same order",
    arguments: [NetworkStatus.online, .offline])
  func hooksOfHit(network: NetworkStatus) async throws {
    let dispatcher = ScriptedDispatcher(answering: Response(status: .ok, bytes: Array("[]".utf8)))
    let cache = CachingInterceptor()
    let (diary, reachability) = (Diary(), ReachabilityState())
    let client = APIClient(
      dispatcher: try Pipeline(over: dispatcher) { cache }, reachability: reachability,
      storedState: cache.storedState(for:), hooks: [diary])
    let manager = APIManager(Prices(), client: client)
    manager.delegate = diary

    let first = manager.load()
    #expect(first == .sent(try #require(first.request)))
    let sent = await diary.page(after: 1)
    #expect(
      sent == [
        "shouldLoad \(manager.identity)", "didSend \(manager.identity)", "didReceive []", "beforeSuccess []",
        "delegate []", "afterSuccess []",
      ])

    reachability.update(network)
    let hit = manager.load()
    #expect(hit == .cached(try #require(hit.request)))
    #expect(await diary.page(after: 2) == sent)
    #expect(manager.lastResponse?.isFromCache == true)

    // An async caller receives the response instead of the delegate.
    #expect(try await manager.load(.response).isFromCache)
    #expect(await diary.page(after: 3) == sent.filter { !$0.hasPrefix("delegate") })
    #expect(dispatcher.requests.count == 1)
  }

  @Test("A6: A response that the API's validator rejects is a failure, and is not stored")
  func rejectedResponse() async throws {
    let dispatcher = ScriptedDispatcher { _, number throws(NetworkError) in
      Response(status: .ok, bytes: Array((number == 1 ? "maintenance" : "ready").utf8))
    }
    let manager = APIManager(Prices(), client: try client(over: dispatcher))
    let failure = await #expect(throws: APIError.self) { try await manager.load(.response) }
    #expect(failure?.kind == .invalidResponse)
    #expect(try await manager.load(.response).text == "ready")
    let third = try await manager.load(.response)
    #expect(third.text == "ready" && third.isFromCache)
    #expect(dispatcher.requests.count == 2)
  }
}
