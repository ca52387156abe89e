import APIManagers
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor struct LoadOutcomeTests {
  @Test("A load distinguishes sent, cached, vetoed, invalid, offline and downgraded for any cache")
  func apart() throws {
    let dispatcher = ScriptedDispatcher()
    var client = APIClient(dispatcher: dispatcher)
    let sent = APIManager(HouseList(), client: client).load(Search())
    #expect(sent == .sent(try #require(sent.request)))

    client.storedState = { $0.context.cacheRule == .inherited ? .absent : .fresh }
    let cached = APIManager(HouseList(), client: client).load(Search())
    #expect(cached == .cached(try #require(cached.request)))
    #expect(cached.request != sent.request)

    let vetoing = APIManager(HouseList(), client: client)
    vetoing.hooks = [RecordingHooks("LoginGate", refusing: ["shouldLoad"])]
    #expect(vetoing.load(Search()) == .vetoed(by: "LoginGate"))
    #expect(
      APIManager(HouseList(), client: client).load(Search(city: ""))
        == .invalid(ParamsError(field: "city", "choose a city.")))

    client.reachability = ReachabilityState(.offline)
    #expect(APIManager(CondoList(), client: client).load(Search()) == .offline)

    let downgrades = DowngradeList()
    downgrades.switchOff(CondoList.identity, because: "Later.")
    client.downgrades = downgrades
    #expect(APIManager(CondoList(), client: client).load(Search()) == .downgraded(reason: "Later."))
  }

  @Test(
    "E13: With an unknown or online status requests are sent, and offline they are refused",
    arguments: [
      (NetworkStatus.unknown, 1), (.online, 1), (.offline, 0),
    ])
  func reachability(status: NetworkStatus, sent: Int) async {
    let dispatcher = ScriptedDispatcher()
    let manager = APIManager(
      CondoList(), client: APIClient(dispatcher: dispatcher, reachability: ReachabilityState(status)))
    let failure = await failure { () async throws(APIError) in
      try await manager.load(.response, for: Search())
    }
    #expect(failure?.kind == (sent == 0 ? .offline : nil))
    #expect(dispatcher.requests.count == sent)
  }

  @Test(
    "While offline, an API that caches uses only stored responses",
    arguments: [CacheRule.StoredState.fresh, .stale, .unknown, .absent])
  func offlineStore(known: CacheRule.StoredState) async throws {
    let dispatcher = ScriptedDispatcher(answering: Response(status: .ok))
    let client = APIClient(
      dispatcher: dispatcher, reachability: ReachabilityState(.offline), storedState: { _ in known })
    let listener = Listener()
    let manager = APIManager(HouseList(), client: client)
    manager.delegate = listener
    let outcome = manager.load(Search())
    try await listener.wait(for: 1)
    switch known {
    case .fresh, .stale: #expect(outcome == .cached(try #require(outcome.request)))
    case .unknown: #expect(outcome == .sent(try #require(outcome.request)))
    case .absent: #expect(outcome == .offline)
    }
    #expect(
      dispatcher.requests.map(\.context.cacheRule.mode) == (known == .absent ? [] : [.onlyStored]))
  }

  @Test("While offline, a missing stored response is reported as offline")
  func offlineMiss() async {
    let dispatcher = ScriptedDispatcher(failing: NetworkError(.notStored, "Nothing is stored."))
    let manager = APIManager(
      HouseList(), client: APIClient(dispatcher: dispatcher, reachability: ReachabilityState(.offline)))
    let failure = await failure { () async throws(APIError) in
      try await manager.load(.response, for: Search())
    }
    #expect(failure?.kind == .offline)
    #expect(dispatcher.requests.count == 1)
  }

  @Test("A reload is sent although a fresh response is stored")
  func reload() throws {
    let dispatcher = ScriptedDispatcher()
    let manager = APIManager(
      HouseList(), client: APIClient(dispatcher: dispatcher, storedState: { _ in .fresh }))
    let outcome = manager.load(Search(), cacheMode: .reload)
    #expect(outcome == .sent(try #require(outcome.request)))
  }

  @Test(
    "The steps of a load are params, veto, downgrade, in-flight strategy and reachability, in this order",
    arguments: 0..<5)
  func order(passed: Int) async throws {
    let gate = Gate()
    let dispatcher = ScriptedDispatcher { request, _ throws(NetworkError) in
      try await gate.pass(request)
      return Response(status: .ok)
    }
    let downgrades = DowngradeList()
    let network = ReachabilityState()
    let manager = APIManager(
      Refresh(), client: APIClient(dispatcher: dispatcher, reachability: network, downgrades: downgrades))
    let flying = try #require(passed < 4 ? manager.load(Search(city: "Lyon")).request : RequestID.next())
    // Everything that can refuse the load does, except for the first `passed` steps.
    network.update(.offline)
    if passed < 3 { downgrades.switchOff(Refresh.identity, because: "Later.") }
    if passed < 2 { manager.hooks = [RecordingHooks("LoginGate", refusing: ["shouldLoad"])] }
    let outcome = passed < 1 ? manager.load() : manager.load(Search(city: "Brest"))
    switch passed {
    case 0:
      guard case .invalid = outcome else {
        Issue.record("\(outcome)")
        return
      }
    case 1: #expect(outcome == .vetoed(by: "LoginGate"))
    case 2: #expect(outcome == .downgraded(reason: "Later."))
    case 3: #expect(outcome == .ignored(inFlight: flying))
    default: #expect(outcome == .offline)
    }
  }
}

/// Returns the error that a call throws, or nil.
@MainActor func failure<Value: Sendable>(_ call: () async throws(APIError) -> Value) async -> APIError? {
  do throws(APIError) {
    _ = try await call()
    return nil
  } catch {
    return error
  }
}
