import Switchyard
import SwitchyardTesting
import Testing

/// What reads do with requests on their way whose responses may be older than a change.
@Suite(.timeLimit(.minutes(5)))
@MainActor struct OutdatedFlightsTests {
  private struct House: API {
    static let endpoint = Endpoint<NoParams>(
      Service("estate", at: ServiceAddress(authority: "estate.example")), "house", path: "/house",
      cacheRule: .timed(), inFlight: .ignoreNew)

    func tags(for params: NoParams) -> Set<DataTag> { ["house 7"] }
  }

  /// A write that is loaded twice by a double tap.
  private struct Offer: API {
    static let endpoint = Endpoint<NoParams>(
      Service("estate", at: ServiceAddress(authority: "estate.example")), "offer", method: .post,
      path: "/offer", inFlight: .ignoreNew)
  }

  /// A server that holds each response until the test releases it, and numbers them.
  private struct Server {
    let open = WaitableValue<Set<Int>>([])
    let dispatcher: ScriptedDispatcher

    init() {
      dispatcher = ScriptedDispatcher { [open] request, number throws(NetworkError) in
        switch request.head.path {
        case "/write":
          // A cache may keep the response to a POST for later retrievals.
          let fields: HTTPFields = [.cacheControl: "max-age=60", .contentLocation: "/write"]
          return Response(HTTPResponse(status: .ok, headerFields: fields), body: .bytes([1]))
        case "/lost":
          throw NetworkError(.transport, "The connection was lost.", requestMayHaveBeenProcessed: true)
        default: break
        }
        do { try await open.wait { $0.contains(number) } } catch {
          throw NetworkError(.cancelled(.task), "The request was cancelled.")
        }
        return Response(status: .ok, bytes: Array("\(number)".utf8))
      }
    }

    func answer(_ number: Int) { open.update { $0.insert(number) } }

    func waitUntilSent(_ count: Int) async throws {
      try await waitUntil("\(count) requests were sent") { dispatcher.requests.count >= count }
    }
  }

  /// The interceptors of a pipeline that know of changes.
  enum Chain: String, CaseIterable { case cache, sharing, both, nested, scoped }

  /// What makes a response on its way outdated.
  enum Change: String, CaseIterable {
    case tags, service, api, partition, request, everything, flights, write, storedWrite, lostWrite
  }

  private struct App {
    let cache = CachingInterceptor()
    let sharing = SharingInterceptor()
    let pipeline: Pipeline

    init(_ chain: Chain, over server: ScriptedDispatcher) throws {
      let (cache, sharing) = (cache, sharing)
      pipeline =
        switch chain {
        case .cache: try Pipeline(over: server) { cache }
        case .sharing: try Pipeline(over: server) { sharing }
        case .both:
          try Pipeline(over: server) {
            sharing; cache
          }
        case .nested: try Pipeline(over: Pipeline(over: server) { cache }) { sharing }
        case .scoped:
          try Pipeline(over: server) {
            sharing.only(for: .service("estate"))
            cache.only(for: .service("estate"))
          }
        }
    }

    func make(_ change: Change) async {
      switch change {
      case .tags: await TagRegistry { [cache] in await cache.wipe(tags: $0) }.invalidate(["house 7"])
      case .service: await cache.wipe(service: "estate")
      case .api: await cache.wipe(api: House.identity)
      case .partition: await cache.wipe(partition: "ann")
      case .request: await cache.invalidate(Request(authority: "estate.example", path: "/house"))
      case .everything: await cache.removeAll()
      case .flights: sharing.closeFlights()
      case .write, .storedWrite, .lostWrite:
        var write = Request(
          method: change == .storedWrite ? .post : .put, authority: "estate.example",
          path: change == .lostWrite ? "/lost" : "/write")
        // A POST that names its API and has a rule is a read.
        if change != .storedWrite { write.context.api = House.identity }
        write.context.cacheRule = .stated()
        _ = try? await pipeline.send(write)
      }
    }
  }

  nonisolated static let changes: [(Chain, Change)] = Chain.allCases.flatMap { chain in
    Change.allCases.compactMap { change in
      switch (chain, change) {
      case (.cache, .flights): nil
      // The interceptors don't see a request that names no service.
      case (.scoped, .storedWrite): nil
      // Without a cache in the pipeline, only the write and the app can say so.
      case (.sharing, _) where ![.flights, .write, .storedWrite, .lostWrite].contains(change): nil
      default: (chain, change)
      }
    }
  }

  @Test("A load with ignoreNew doesn't join a request from before a change", arguments: changes)
  func ignoreNew(_ chain: Chain, _ change: Change) async throws {
    let server = Server()
    let app = try App(chain, over: server.dispatcher)
    let manager = APIManager(House(), client: APIClient(dispatcher: app.pipeline, account: { "ann" }))
    let old = manager.load()
    try await server.waitUntilSent(1)
    #expect(manager.load() == .joined(try #require(old.request)), "Nothing has changed yet.")

    await app.make(change)
    let sent = server.dispatcher.requests.count
    let new = manager.load()
    #expect(new.request != nil && new.request != old.request)
    try await server.waitUntilSent(sent + 1)
    #expect(manager.load() == .joined(try #require(new.request)), "The new request is from after the change.")

    server.answer(sent + 1)
    try await waitUntil("the new response was received") { manager.lastResponse != nil }
    server.answer(1)
    try await waitUntil("the old response was received") { !manager.isLoading }
    #expect(manager.lastResponse?.text == "\(sent + 1)")
    #expect(manager.state.value?.text == "\(sent + 1)")
  }

  @Test("A client's load doesn't join a request from before a change", arguments: changes)
  func client(_ chain: Chain, _ change: Change) async throws {
    let server = Server()
    let app = try App(chain, over: server.dispatcher)
    let client = APIClient(dispatcher: app.pipeline, account: { "ann" })
    let old = Task { try await client.load(House()).text }
    try await server.waitUntilSent(1)
    await app.make(change)
    let sent = server.dispatcher.requests.count
    let new = Task { try await client.load(House()).text }
    try await server.waitUntilSent(sent + 1)
    server.answer(sent + 1)
    server.answer(1)
    #expect(try await new.value == "\(sent + 1)")
    #expect(try await old.value == "1")
  }

  @Test("A write in flight is joined whatever has changed since, so that it isn't sent twice")
  func doubleTap() async throws {
    let server = Server()
    let app = try App(.both, over: server.dispatcher)
    let manager = APIManager(Offer(), client: APIClient(dispatcher: app.pipeline))
    let first = try #require(manager.load().request)
    try await server.waitUntilSent(1)
    for change in Change.allCases { await app.make(change) }
    #expect(manager.load() == .joined(first))
    server.answer(1)
    try await waitUntil("the write has ended") { !manager.isLoading }
    #expect(server.dispatcher.requests.filter { $0.head.path == "/offer" }.count == 1)
  }

  @Test("Another account's request is neither joined nor waited for")
  func otherAccount() async throws {
    let server = Server()
    let app = try App(.both, over: server.dispatcher)
    let account = WaitableValue("ann")
    let manager = APIManager(House(), client: APIClient(dispatcher: app.pipeline, account: { account.value }))
    let first = manager.load()
    try await server.waitUntilSent(1)
    account.update { $0 = "ben" }
    let second = manager.load()
    #expect(second.request != nil && second.request != first.request)
    try await server.waitUntilSent(2)
    server.answer(2)
    try await waitUntil("the second response was received") { manager.lastResponse != nil }
    server.answer(1)
    try await waitUntil("the first response was received") { !manager.isLoading }
    #expect(manager.lastResponse?.text == "2")
  }

  @Test("Pipelines that share a cache close each other's flights only as far as they share")
  func severalPipelines() async throws {
    let server = Server()
    let cache = CachingInterceptor()
    let (first, second) = (SharingInterceptor(), SharingInterceptor())
    let pipelines = try [first, second].map { sharing in
      try Pipeline(over: server.dispatcher) {
        sharing; cache
      }
    }
    await cache.removeAll()
    #expect(pipelines.map(\.flightClosings) == [1, 1])
    first.closeFlights()
    #expect(pipelines.map(\.flightClosings) == [2, 1])
  }
}
