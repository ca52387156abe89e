import HTTPTypes
import Interception
import Testing

@testable import APIManagers

@Suite struct LoadDecisionTests {
  static func request(_ path: String = "/a", cacheRule: CacheRule = .off) -> Request {
    var request = Request(authority: "api.example", path: path)
    request.context.cacheRule = cacheRule
    return request
  }

  static func decide(
    _ request: Request = request(), veto: String? = nil, downgrade: String? = nil,
    strategy: InFlightStrategy = .parallel, inFlight: [Request] = [], network: NetworkStatus = .unknown,
    stored: CacheRule.StoredState = .absent
  ) -> LoadDecision {
    LoadDecision.decide(
      on: request, of: LoadDecision.ManagerState(veto: veto, inFlight: inFlight, reportsStored: true),
      downgrade: downgrade, strategy: strategy, network: network, stored: { stored })
  }

  @Test("Veto, downgrade, in-flight strategy and reachability decide in this order", arguments: 0..<4)
  func order(passed: Int) {
    let earlier = Self.request("/b")
    let decision = Self.decide(
      veto: passed < 1 ? "Gate" : nil, downgrade: passed < 2 ? "Later." : nil, strategy: .ignoreNew,
      inFlight: passed < 3 ? [earlier] : [], network: .offline)
    let refusals: [LoadOutcome] = [
      .vetoed(by: "Gate"), .downgraded(reason: "Later."), .ignored(inFlight: earlier.id), .offline,
    ]
    #expect(decision == LoadDecision(action: .refuse(refusals[passed])))
  }

  @Test(
    "What is stored is looked up only if the decision depends on it",
    arguments: [
      ("Gate", nil, .offline, true, 0), (nil, "Later.", .offline, true, 0), (nil, nil, .online, false, 0),
      (nil, nil, .online, true, 1), (nil, nil, .offline, false, 1),
    ] as [(String?, String?, NetworkStatus, Bool, Int)])
  func laziness(
    veto: String?, downgrade: String?, network: NetworkStatus, reportsStored: Bool, expected: Int
  ) {
    for (rule, count) in [(CacheRule.timed(), expected), (.off, 0)] {
      var lookups = 0
      _ = LoadDecision.decide(
        on: Self.request(cacheRule: rule),
        of: LoadDecision.ManagerState(veto: veto, reportsStored: reportsStored), downgrade: downgrade,
        strategy: .parallel, network: network
      ) {
        lookups += 1
        return .fresh
      }
      #expect(lookups == count)
    }
  }

  @Test("An equal request in flight is joined, a different one is not replaced")
  func ignoreNew() {
    let earlier = Self.request()
    #expect(
      Self.decide(strategy: .ignoreNew, inFlight: [earlier]) == LoadDecision(action: .join(earlier.id)))
    var other = Self.request()
    other.context.partition = "alice"
    #expect(
      Self.decide(strategy: .ignoreNew, inFlight: [other])
        == LoadDecision(action: .refuse(.ignored(inFlight: other.id))))
  }

  @Test("A load with trailer fields neither joins another one nor is joined, because they can't be compared")
  func trailers() {
    var trailed = Self.request()
    trailed.trailers = RequestTrailers([.eTag]) { [:] }
    for (load, earlier) in [(Self.request(), trailed), (trailed, Self.request()), (trailed, trailed)] {
      #expect(
        Self.decide(load, strategy: .ignoreNew, inFlight: [earlier])
          == LoadDecision(action: .refuse(.ignored(inFlight: earlier.id))))
    }
  }

  @Test("A load with other header fields isn't joined, unless only those differ that are new in each request")
  func headerFields() throws {
    let identifier = try #require(HTTPField.Name("X-Request-ID"))
    var (english, german, later) = (Self.request(), Self.request(), Self.request())
    english.head.headerFields = [.acceptLanguage: "en", identifier: "1"]
    german.head.headerFields = [.acceptLanguage: "de", identifier: "1"]
    later.head.headerFields = [identifier: "2", .acceptLanguage: "en"]
    #expect(
      Self.decide(german, strategy: .ignoreNew, inFlight: [english])
        == LoadDecision(action: .refuse(.ignored(inFlight: english.id))))
    #expect(
      Self.decide(later, strategy: .ignoreNew, inFlight: [english])
        == LoadDecision(action: .join(english.id)))
  }

  @Test(
    "A load that demands a response from the server doesn't join one that a cache may answer",
    arguments: [CacheRule.Mode.reload, .revalidate, .noStore])
  func reload(_ mode: CacheRule.Mode) {
    var (reload, earlier) = (Self.request(), Self.request())
    reload.context.cacheRule = .timed().with(mode)
    earlier.context.cacheRule = .timed()
    #expect(
      Self.decide(reload, strategy: .ignoreNew, inFlight: [earlier])
        == LoadDecision(action: .send(isFromStore: false, isStored: false)))
    #expect(
      Self.decide(earlier, strategy: .ignoreNew, inFlight: [reload])
        == LoadDecision(action: .join(reload.id)))
  }

  @Test("Of several equal requests, the latest one is joined that asks for enough")
  func latest() {
    var (reload, load) = (Self.request(), Self.request())
    reload.context.cacheRule = .timed().with(.reload)
    load.context.cacheRule = .timed()
    let decision = { Self.decide($0, strategy: .ignoreNew, inFlight: [load, reload]).action }
    #expect(decision(reload) == .join(reload.id))
    #expect(decision(load) == .join(load.id))
    let other = Self.request("/b")
    #expect(
      Self.decide(load, strategy: .ignoreNew, inFlight: [load, other]).action
        == .refuse(.ignored(inFlight: other.id)))
  }

  @Test("A load that accepts a response of the server doesn't join one that accepts only a stored one")
  func stored() {
    var (load, earlier) = (Self.request(), Self.request())
    load.context.cacheRule = .timed()
    earlier.context.cacheRule = .timed().with(.onlyStored)
    #expect(
      Self.decide(load, strategy: .ignoreNew, inFlight: [earlier])
        == LoadDecision(action: .send(isFromStore: false, isStored: false)))
    #expect(
      Self.decide(earlier, strategy: .ignoreNew, inFlight: [load])
        == LoadDecision(action: .join(load.id)))
  }

  @Test("Earlier requests are superseded also by a load that is refused for lack of a network")
  func cancelPrevious() {
    let earlier = [Self.request(), Self.request("/b")]
    let sent = LoadDecision(
      action: .send(isFromStore: false, isStored: false), superseded: earlier.map(\.id))
    #expect(Self.decide(strategy: .cancelPrevious, inFlight: earlier) == sent)
    let offline = LoadDecision(action: .refuse(.offline), superseded: earlier.map(\.id))
    #expect(Self.decide(strategy: .cancelPrevious, inFlight: earlier, network: .offline) == offline)
  }

  @Test(
    "A stored response serves a load by its cache mode, and offline in any mode",
    arguments: [
      (CacheRule.Mode.useFresh, CacheRule.StoredState.fresh, true, true),
      (.useFresh, .stale, false, true), (.onlyStored, .stale, true, true), (.reload, .fresh, false, true),
      (.useFresh, .unknown, false, false), (.onlyStored, .absent, false, nil),
    ] as [(CacheRule.Mode, CacheRule.StoredState, Bool, Bool?)])
  func stored(
    mode: CacheRule.Mode, state: CacheRule.StoredState, online: Bool, offline: Bool?
  ) {
    let request = Self.request(cacheRule: CacheRule.timed().with(mode))
    #expect(
      Self.decide(request, network: .online, stored: state)
        == LoadDecision(action: .send(isFromStore: false, isStored: online)))
    let expected = offline.map { LoadDecision.Action.send(isFromStore: true, isStored: $0) }
    #expect(
      Self.decide(request, network: .offline, stored: state).action == expected ?? .refuse(.offline))
  }
}
