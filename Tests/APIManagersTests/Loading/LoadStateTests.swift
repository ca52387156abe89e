import APIManagers
import HTTPTypes
import Interception
import Observation
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor struct LoadStateTests {
  /// Counts how often a reader of a manager's state is notified.
  @MainActor final class Reader {
    private(set) var notifications = 0

    /// Reads the state, and is notified of the next change.
    func read<A: API>(_ manager: APIManager<A>) -> LoadState<A.Output, APIError> {
      withObservationTracking {
        manager.state
      } onChange: { [weak self] in
        MainActor.assumeIsolated { self?.notifications += 1 }
      }
    }
  }

  nonisolated static func text<Value>(_ state: LoadState<Value, APIError>) -> String {
    switch state {
    case .idle: "idle"
    case .loading(let before): "loading" + (before == nil ? "" : " after a value")
    case .loaded(let loaded): loaded.isStale ? "stale" : "loaded"
    case .failed(let error, let before): error.label + (before == nil ? "" : " after a value")
    }
  }

  /// A server whose responses wait for the gate: of an uneven number with the status 200, otherwise with 503.
  static func server(_ gate: Gate) -> ScriptedDispatcher {
    ScriptedDispatcher { request, number throws(NetworkError) in
      try await gate.pass(request)
      return Response(status: number % 2 == 1 ? .ok : .serviceUnavailable, bytes: Array("7".utf8))
    }
  }

  /// A screen that shows a state, and shows it again after each change.
  @MainActor final class BoundScreen {
    private(set) var shown: [String] = []
    private let text: @MainActor () -> String

    init(_ text: @escaping @MainActor () -> String) {
      self.text = text
      show()
    }

    private func show() {
      let present = withObservationTracking {
        text()
      } onChange: { [weak self] in
        Task { @MainActor in self?.show() }
      }
      if shown.last != present { shown.append(present) }
    }

    func wait(for text: String) async throws { try await waitUntil(text) { shown.last == text } }
  }

  private struct Price: API {
    static let endpoint = Endpoint<Search>(.estate, "price", path: "/price")

    func output(from response: APIResponse) throws -> String { response.text ?? "" }
  }

  /// The state with its value, age and staleness.
  nonisolated static func whole<Value, Failure: Error>(
    _ state: LoadState<Value, Failure>, _ text: (Value) -> String
  ) -> String {
    func shown(_ loaded: LoadState<Value, Failure>.Loaded?) -> String {
      guard let loaded else { return "" }
      let age = loaded.age.map { ", \($0.components.seconds) s" } ?? ""
      return " \(text(loaded.value))\(age)\(loaded.isStale ? ", stale" : "")"
    }
    return switch state {
    case .idle: "idle"
    case .loading(let before): "loading" + shown(before)
    case .loaded(let loaded): "loaded" + shown(loaded)
    case .failed(let error, let before): ((error as? APIError)?.label ?? "failed") + shown(before)
    }
  }

  /// A server whose second response is a failure, and whose third one is stored and stale.
  private static func server(ageing gate: Gate) -> ScriptedDispatcher {
    ScriptedDispatcher { request, number throws(NetworkError) in
      try await gate.pass(request)
      var head = HTTPResponse(status: number == 2 ? .serviceUnavailable : .ok)
      head.headerFields[.age] = "\(number * 30)"
      return Response(
        head, body: .bytes(Array("\(number)".utf8)),
        exchange: Exchange(cache: number == 3 ? .hit(ttl: -1) : nil))
    }
  }

  @Test(
    "J3: A manager's and a list's state is observed with age, failure and what was there before; no screen is retained",
    arguments: [false, true])
  func binding(isList: Bool) async throws {
    let gate = Gate()
    let client = APIClient(dispatcher: Self.server(ageing: gate))
    let manager = APIManager(Price(), client: client)
    let pager = Pager(
      client.items(of: Price(), size: 1, params: { Search(page: $0.number) }) { text in
        PageContent([Row(id: Int(text) ?? 0)], next: .exists(true))
      })
    var screen: BoundScreen? = BoundScreen {
      isList
        ? Self.whole(pager.list.state) { $0.map { "\($0.id)" }.joined(separator: "+") }
        : Self.whole(manager.state) { $0 }
    }
    let last = isList ? "loaded 1+3, 90 s, stale" : "loaded 3, 90 s, stale"
    for (during, after) in [
      ("loading", "loaded 1, 30 s"), ("loading 1, 30 s", "status_503 1, 30 s"), ("loading 1, 30 s", last),
    ] {
      if isList { _ = pager.loadNext() } else { manager.load(Search()) }
      try await screen?.wait(for: during)
      try await gate.waitForHeld(1)
      gate.openAll()
      try await screen?.wait(for: after)
    }
    #expect(
      screen?.shown == [
        "idle", "loading", "loaded 1, 30 s", "loading 1, 30 s", "status_503 1, 30 s", "loading 1, 30 s", last,
      ])
    weak let released = screen
    screen = nil
    #expect(released == nil)
    // The next change finds no screen.
    if isList { _ = pager.restart() } else { manager.clear() }
    #expect(isList ? Self.whole(pager.list.state) { _ in "" } == "loading" : manager.state.value == nil)
  }

  @Test("A manager's state is idle, loading, loaded and failed, with what was there before")
  func states() async throws {
    let gate = Gate()
    let manager = APIManager(CondoList(), client: APIClient(dispatcher: Self.server(gate)))
    let listener = Listener()
    manager.delegate = listener
    var states = [Self.text(manager.state)]
    for count in 1...3 {
      let request = try #require(manager.load(Search()).request)
      states.append(Self.text(manager.state))
      try await gate.waitForHeld(1)
      gate.open(request)
      try await listener.wait(for: count)
      states.append(Self.text(manager.state))
    }
    #expect(
      states == [
        "idle", "loading", "loaded", "loading after a value", "status_503 after a value",
        "loading after a value", "loaded",
      ])
    manager.clear()
    #expect(Self.text(manager.state) == "idle")
    let closed = APIClient(dispatcher: ScriptedDispatcher(answering: Response(status: .gone)))
    let failing = APIManager(CondoList(), client: closed)
    _ = try? await failing.load(.response, for: Search())
    #expect(Self.text(failing.state) == "status_410" && failing.state.value == nil)
  }

  @Test(
    "A value has the age and the staleness of its response",
    arguments: [
      (nil, nil, nil, false), (.forwarded(.uriMiss, stored: true), "3", 3, false),
      (.hit(ttl: 5), "60", 60, false), (.hit(ttl: -1), "90", 90, true), (.revalidated(), "x", nil, false),
      (.staleOnError(status: 503, ttl: -5), "7", 7, true),
      // Only digits are a time; of different ages the first one counts (RFC 9111, section 5.1).
      (nil, "-5", nil, false), (nil, "+5", nil, false), (nil, "", nil, false), (nil, "5.0", nil, false),
      (nil, "5 6", nil, false), (nil, "\"5\"", nil, false), (nil, "0", 0, false), (nil, " 05 ", 5, false),
      (nil, "5, 90", 5, false), (nil, "99999999999999999999", 1 << 31, false),
    ] as [(Exchange.CacheStatus?, String?, Int?, Bool)])
  func currency(cache: Exchange.CacheStatus?, age: String?, seconds: Int?, isStale: Bool) async throws {
    var head = HTTPResponse(status: .ok)
    head.headerFields[.age] = age
    let response = Response(head, body: .bytes([]), exchange: Exchange(cache: cache))
    let manager = APIManager(
      CondoList(), client: APIClient(dispatcher: ScriptedDispatcher(answering: response)))
    _ = try await manager.load(.response, for: Search())
    guard case .loaded(let loaded) = manager.state else {
      Issue.record("The state should have a value.")
      return
    }
    #expect(loaded.age == seconds.map { .seconds($0) })
    #expect(loaded.isStale == isStale)
  }

  @Test("A reader is notified once, however many changes follow before it reads again")
  func notifications() async throws {
    let gate = Gate()
    let manager = APIManager(CondoList(), client: APIClient(dispatcher: Self.server(gate)))
    let listener = Listener()
    manager.delegate = listener
    let reader = Reader()
    _ = reader.read(manager)
    for _ in 1...3 { manager.load(Search()) }
    #expect(reader.notifications == 1)
    _ = reader.read(manager)
    try await gate.waitForHeld(3)
    gate.openAll()
    try await listener.wait(for: 3)
    #expect(reader.notifications == 2)
    guard case .loading = reader.read(manager) else {
      manager.clear()
      #expect(reader.notifications == 3)
      return
    }
    Issue.record("No request should be in flight.")
  }

  @Test("A reader of the state retains neither the manager nor what it belongs to")
  func releases() async throws {
    let gate = Gate()
    weak var released: APIManager<CondoList>?
    let reader = Reader()
    do {
      let manager = APIManager(CondoList(), client: APIClient(dispatcher: Self.server(gate)))
      released = manager
      _ = reader.read(manager)
      manager.load(Search())
      try await gate.waitForHeld(1)
    }
    try await gate.waitForCancellations(1)
    #expect(released == nil)
  }

  @Test("A pager's list can be tracked")
  func pager() async throws {
    let pager = Pager(PagedItems<Row>(size: 2) { page($0, total: 2) })
    let changed = WaitableValue(0)
    let count = withObservationTracking {
      pager.list.items.count
    } onChange: {
      changed.update { $0 += 1 }
    }
    #expect(count == 0)
    pager.loadNext()
    for await list in pager.changes where list.isLastPage { break }
    #expect(changed.value == 1)
    #expect(pager.list.items == [0, 1])
  }
}
