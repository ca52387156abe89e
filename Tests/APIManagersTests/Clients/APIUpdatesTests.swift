import APIManagers
import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct APIUpdatesTests {
  /// Responds to each mode as a pipeline with a cache does.
  private static func cache(
    stored: String?, server: Result<String, NetworkError>, isConfirmed: Bool = false
  ) -> ScriptedDispatcher {
    ScriptedDispatcher { request, _ throws(NetworkError) in
      switch request.context.cacheRule.mode {
      case .onlyStored:
        guard let stored else { throw NetworkError(.notStored, "Nothing is stored.") }
        return Response(
          .init(status: .ok), body: .bytes(Array(stored.utf8)),
          exchange: Exchange(attempts: 0, cache: .hit(ttl: -1)))
      case .revalidate:
        let text = try server.get()
        return Response(
          .init(status: .ok), body: .bytes(Array(text.utf8)),
          exchange: Exchange(cache: isConfirmed ? .revalidated() : .forwarded(.stale, stored: true)))
      default: throw NetworkError(.rejected, "The mode is unexpected.")
      }
    }
  }

  private static func updates(
    over dispatcher: ScriptedDispatcher, _ status: NetworkStatus = .online
  ) async -> (texts: [String?], error: APIError?) {
    let client = APIClient(dispatcher: dispatcher, reachability: ReachabilityState(status))
    var texts: [String?] = []
    do throws(APIError) {
      for try await response in client.updates(of: HouseList(), Search()) { texts.append(response.text) }
    } catch {
      return (texts, error)
    }
    return (texts, nil)
  }

  @Test("The output of the stored response is followed by that of the server's")
  func two() async {
    let updates = await Self.updates(over: Self.cache(stored: "old", server: .success("new")))
    #expect(updates.texts == ["old", "new"] && updates.error == nil)
  }

  @Test("There is one output if nothing is stored, or if the server has nothing else")
  func one() async {
    for (stored, isConfirmed) in [(nil, false), ("new", false), ("new", true)] as [(String?, Bool)] {
      let dispatcher = Self.cache(stored: stored, server: .success("new"), isConfirmed: isConfirmed)
      let updates = await Self.updates(over: dispatcher)
      #expect(updates.texts == ["new"] && updates.error == nil)
      #expect(dispatcher.requests.map(\.context.cacheRule.mode) == [.onlyStored, .revalidate])
    }
  }

  @Test("A stored response that its API's validator refuses is replaced by the server's")
  func invalid() async {
    let updates = await Self.updates(over: Self.cache(stored: "refuse", server: .success("new")))
    #expect(updates.texts == ["new"] && updates.error == nil)
  }

  @Test("The server's error, and the lack of a network, follow the stored output")
  func errors() async {
    let failing = Self.cache(stored: "old", server: .failure(NetworkError(.timeout(.whole), "Too late.")))
    let updates = await Self.updates(over: failing)
    #expect(updates.texts == ["old"] && updates.error?.cause?.kind == .timeout(.whole))
    let offline = await Self.updates(over: Self.cache(stored: "old", server: .success("new")), .offline)
    #expect(offline.texts == ["old"] && offline.error?.kind == .offline)
    let nothing = await Self.updates(over: Self.cache(stored: nil, server: .success("new")), .offline)
    #expect(nothing.texts.isEmpty && nothing.error?.kind == .offline)
  }

  @Test("Params that can't be sent are an error, and nothing is sent")
  func params() async {
    let dispatcher = Self.cache(stored: "old", server: .success("new"))
    let client = APIClient(dispatcher: dispatcher)
    let error = await #expect(throws: APIError.self) {
      for try await _ in client.updates(of: HouseList(), Search(city: "")) {}
    }
    #expect(error?.kind == .invalidParams(field: "city"))
    #expect(dispatcher.requests.isEmpty)
  }

  @Test("The server isn't asked for another account than that of the stored output")
  func account() async {
    let dispatcher = Self.cache(stored: "of ann", server: .success("of bob"))
    let account = Mutex("ann")
    let client = APIClient(dispatcher: dispatcher, account: { account.withLock { $0 } })
    var texts: [String?] = []
    let error = await #expect(throws: APIError.self) {
      for try await response in client.updates(of: HouseList(), Search()) {
        texts.append(response.text)
        account.withLock { $0 = "bob" }
      }
    }
    #expect(texts == ["of ann"] && error?.cause?.kind == .rejected)
    #expect(dispatcher.requests.map(\.context.partition) == ["ann"])
  }

  @Test("The server isn't asked for another account than the one for which nothing was stored")
  func accountWithoutStored() async {
    let account = Mutex("ann")
    let dispatcher = ScriptedDispatcher { request, _ throws(NetworkError) in
      guard request.context.cacheRule.mode == .onlyStored else { return Response(status: .ok, bytes: [1]) }
      // Another login while the store is read.
      account.withLock { $0 = "bob" }
      throw NetworkError(.notStored, "Nothing is stored.")
    }
    let client = APIClient(dispatcher: dispatcher, account: { account.withLock { $0 } })
    let error = await #expect(throws: APIError.self) {
      for try await _ in client.updates(of: HouseList(), Search()) {}
    }
    #expect(error?.cause?.kind == .rejected)
    #expect(dispatcher.requests.map(\.context.cacheRule.mode) == [.onlyStored])
  }

  @Test("The first login between the two outputs refuses nothing")
  func firstLogin() async throws {
    let dispatcher = Self.cache(stored: "old", server: .success("new"))
    let account = Mutex("")
    let client = APIClient(dispatcher: dispatcher, account: { account.withLock { $0 } })
    var texts: [String?] = []
    for try await response in client.updates(of: HouseList(), Search()) {
      texts.append(response.text)
      account.withLock { $0 = "ann" }
    }
    #expect(texts == ["old", "new"])
    #expect(dispatcher.requests.map(\.context.partition) == ["", "ann"])
  }
}
