import HTTPTypes
import Interception
import ResponseCaching
import SwitchyardTesting
import Synchronization
import Testing

@Suite("Removals while a response is being stored", .timeLimit(.minutes(5)))
struct RemovalDuringStoringTests {
  /// A store that writes only when the test lets it, and notes what it does.
  private final class SlowStore: ResponseStore {
    private let memory = MemoryStore()
    private let (entries, entry) = AsyncStream.makeStream(of: Void.self)
    private let (permissions, permission) = AsyncStream.makeStream(of: Void.self)
    let events = Mutex<[String]>([])

    func note(_ event: String) { events.withLock { $0.append(event) } }
    /// Waits until a response is about to be written.
    func isStoring() async { for await _ in entries { return } }
    func letWrite() { permission.yield() }

    func response(for key: CacheKey, requestFields: HTTPFields) async -> StoredResponse? {
      await memory.response(for: key, requestFields: requestFields)
    }

    func store(_ response: StoredResponse, requestFields: HTTPFields, at now: CacheInstant) async -> Bool {
      entry.yield()
      for await _ in permissions { break }
      let isStored = await memory.store(response, requestFields: requestFields, at: now)
      note("stored")
      return isStored
    }

    func remove(_ selection: CacheSelection) async -> Int {
      let count = await memory.remove(selection)
      note("removed \(count)")
      return count
    }
  }

  private static func request(_ method: HTTPRequest.Method) -> Request {
    var request = Request(method: method, authority: "api.example", path: "/houses/7")
    request.context.cacheRule = .stated()
    return request
  }

  @Test("A write ends only when no response from before it is stored any more")
  func write() async throws {
    let server = ScriptedDispatcher { _, number throws(NetworkError) in
      Response(
        status: .ok, headerFields: [.cacheControl: "max-age=60"], bytes: Array("version \(number)".utf8))
    }
    let store = SlowStore()
    let chain = server.intercepted(by: CachingInterceptor(store: store))
    let load = Task { try await chain.dispatch(Self.request(.get)) }
    await store.isStoring()
    let write = Task {
      _ = try await chain.dispatch(Self.request(.put))
      store.note("written")
    }
    try await waitUntil("the store notes an event") { store.events.withLock { !$0.isEmpty } }
    // Enough for the write to end, if it doesn't wait.
    for _ in 0..<100 { await Task.yield() }
    store.letWrite()
    try await write.value
    #expect(store.events.withLock { $0 } == ["removed 0", "stored", "removed 1", "written"])
    #expect(try await load.value.exchange.cache == .forwarded(.uriMiss, stored: false))
  }

  @Test("A write doesn't wait for a response of another resource")
  func other() async throws {
    let server = ScriptedDispatcher { _, _ throws(NetworkError) in
      Response(status: .ok, headerFields: [.cacheControl: "max-age=60"], bytes: [1])
    }
    let store = SlowStore()
    let chain = server.intercepted(by: CachingInterceptor(store: store))
    let load = Task { try await chain.dispatch(Self.request(.get)) }
    await store.isStoring()
    var other = Self.request(.put)
    other.head.path = "/houses/8"
    _ = try await chain.dispatch(other)
    #expect(store.events.withLock { $0 } == ["removed 0"])
    store.letWrite()
    #expect(try await load.value.exchange.cache == .forwarded(.uriMiss, stored: true))
  }
}
