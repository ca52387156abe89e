#if SQLite
import HTTPTypes
import Interception
import ResponseCaching
import SQLiteStores
import SwitchyardTesting
import Synchronization
import Testing

@Suite("Caching over a disk", .timeLimit(.minutes(5)))
struct DurableCachingTests {
  /// One start of an app: a cache in memory over the disk, and a server that can be stopped.
  private final class Run: Sendable {
    let disk: SQLiteResponseStore
    let memory = MemoryStore()
    let cache: CachingInterceptor
    let server: ScriptedDispatcher
    let chain: any Dispatcher

    init(_ fixture: StoreFixture, wall: @escaping @Sendable () -> WallTime, isOnline: Bool = true) {
      disk = fixture.store()
      let time = TimeSource(TestClock(), wall: wall)
      cache = CachingInterceptor(memory: memory, store: disk, time: time)
      server = ScriptedDispatcher { request, number throws(NetworkError) in
        guard isOnline else { throw NetworkError(.offline, "There is no network.") }
        return Response(
          status: .ok, headerFields: [.eTag: "\"\(number)\""], bytes: Array("response \(number)".utf8))
      }
      chain = server.intercepted(by: cache)
    }

    func send(_ request: Request) async throws -> (text: String, cache: Exchange.CacheStatus?) {
      let response = try await chain.dispatch(request)
      let body = try await response.body.collect(upTo: 1 << 20)
      return (String(decoding: body, as: UTF8.self), response.exchange.cache)
    }
  }

  private let fixture: StoreFixture
  private let wall = WallClock()

  private final class WallClock: Sendable {
    private let time = Mutex(StoreFixture.start)
    func advance(by duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
    var now: WallTime { time.withLock { $0 } }
  }

  init() throws { fixture = try StoreFixture() }

  private func start(isOnline: Bool = true) -> Run {
    Run(fixture, wall: { [wall] in wall.now }, isOnline: isOnline)
  }

  private static func request(_ number: Int = 1, mode: CacheRule.Mode = .useFresh) -> Request {
    var request = StoreFixture.request(number)
    request.context.cacheRule = .timed(.seconds(60)).with(mode)
    return request
  }

  @Test("D2: A hit in memory needs no disk, and a hit on the disk fills memory")
  func levels() async throws {
    let first = start()
    #expect(try await first.send(Self.request()).text == "response 1")
    // With the disk closed only memory can respond.
    await first.disk.close()
    #expect(try await first.send(Self.request()).cache == .hit(ttl: 60))
    let second = start()
    #expect(second.memory.count == 0)
    #expect(second.cache.storedState(for: Self.request()) == .unknown)
    #expect(try await second.send(Self.request()).cache == .hit(ttl: 60))
    #expect(second.memory.count == 1)
    #expect(second.cache.storedState(for: Self.request()) == .fresh)
    await second.disk.close()
    #expect(try await second.send(Self.request()).text == "response 1")
    #expect(second.server.requests.isEmpty)
  }

  @Test("D8: A cached response is flagged, and works after a restart without a network or a server")
  func offline() async throws {
    let online = start()
    #expect(try await online.send(Self.request()).cache == .forwarded(.uriMiss, stored: true))
    await online.disk.close()
    let offline = start(isOnline: false)
    let fresh = try await offline.send(Self.request())
    #expect(fresh.text == "response 1")
    #expect(fresh.cache == .hit(ttl: 60))
    wall.advance(by: .seconds(3_600))
    // A stale response is delivered to a call that accepts it.
    let stale = try await offline.send(Self.request(mode: .onlyStored))
    #expect(stale.text == "response 1")
    #expect(stale.cache == .hit(ttl: -3_540))
    await #expect(throws: NetworkError.self) { try await offline.send(Self.request()) }
    await #expect(throws: NetworkError.self) { try await offline.send(Self.request(2, mode: .onlyStored)) }
  }

  /// A response that is for memory only, and why.
  struct Sensitive: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var rule = CacheRule.timed(.seconds(60))
    var partition = "anna"
    var requestFields: HTTPFields = [:]
    var responseFields: HTTPFields = [:]
  }

  static let sensitiveResponses = [
    Sensitive(testDescription: "the rule says so", rule: .timed(.seconds(60)).inMemoryOnly()),
    Sensitive(testDescription: "it sets a cookie", responseFields: [.setCookie: "session=1"]),
    Sensitive(
      testDescription: "the request has credentials and no account", partition: "",
      requestFields: [.authorization: "Bearer a"]),
  ]

  @Test(
    "D10: A sensitive response reaches no file of the disk, beside another one that does",
    arguments: sensitiveResponses, [100, 100_000])
  func sensitive(_ sensitive: Sensitive, size: Int) async throws {
    let (secret, other) = (Array("the secret of anna".utf8), Array("what everybody may read".utf8))
    let filling = StoreFixture.body(1, size: size)
    var request = StoreFixture.request(2, partition: sensitive.partition, fields: sensitive.requestFields)
    request.context.cacheRule = sensitive.rule
    let server = ScriptedDispatcher { request, _ throws(NetworkError) in
      guard request.head.path?.hasSuffix("page=2") == true else {
        return Response(status: .ok, bytes: other + filling)
      }
      return Response(status: .ok, headerFields: sensitive.responseFields, bytes: secret + filling)
    }
    let disk = fixture.store()
    let time = TimeSource(TestClock()) { [wall] in wall.now }
    let chain = server.intercepted(
      by: CachingInterceptor(memory: MemoryStore(), store: disk, time: time))
    #expect(try await chain.dispatch(Self.request()).exchange.cache == .forwarded(.uriMiss, stored: true))
    let response = try await chain.dispatch(request)
    #expect(try await response.body.collect(upTo: 1 << 20) == secret + filling)
    // Until everything is written.
    #expect(await disk.usage().responses == 1)
    #expect(!fixture.holds(secret))
    await disk.close()
    #expect(fixture.holds(other) && !fixture.holds(secret))
  }

  @Test("D10: A cache with another schema uses none of the disk's responses of an older one")
  func schema() async throws {
    let first = start()
    _ = try await first.send(Self.request())
    await first.disk.close()
    let disk = fixture.store()
    let server = ScriptedDispatcher(answering: Response(status: .ok, bytes: Array("newer".utf8)))
    let time = TimeSource(TestClock()) { [wall] in wall.now }
    let cache = CachingInterceptor(
      memory: MemoryStore(), store: disk, schema: "2", time: time)
    let response = try await server.intercepted(by: cache).dispatch(Self.request())
    #expect(response.exchange.cache == .forwarded(.uriMiss, stored: true))
    #expect(try await response.body.collect(upTo: 99) == Array("newer".utf8))
    await disk.close()
  }

  @Test(
    "A response on the disk is stale, and not used as fresh, after the clock was set back or far ahead",
    arguments: [Duration.seconds(-3_600), .seconds(365 * 86_400)])
  func clock(change: Duration) async throws {
    let first = start()
    _ = try await first.send(Self.request())
    await first.disk.close()
    wall.advance(by: change)
    let second = start()
    let response = try await second.send(Self.request())
    // The server can't confirm the response's entity tag, so that its own one is used.
    #expect(response.text == "response 1")
    #expect(second.server.requests.count == 1)
    #expect(second.server.requests.first?.head.headerFields[.ifNoneMatch] == "\"1\"")
    #expect(try await second.send(Self.request()).cache == .hit(ttl: 60))
    #expect(second.server.requests.count == 1)
    await second.disk.close()
  }

  @Test("A wipe removes an account's responses from memory and disk before it returns")
  func wipe() async throws {
    let first = start()
    _ = try await first.send(Self.request())
    #expect(await first.cache.wipe(partition: "anna") == 1)
    #expect(first.memory.count == 0)
    #expect(await first.disk.usage().responses == 0)
    await first.disk.close()
    let second = start(isOnline: false)
    await #expect(throws: NetworkError.self) { try await second.send(Self.request()) }
  }

  @Test("A revalidated response is written to the disk with its new lifetime")
  func revalidation() async throws {
    let server = ScriptedDispatcher { request, _ throws(NetworkError) in
      request.head.headerFields.contains(.ifNoneMatch)
        ? Response(status: .notModified, headerFields: [.eTag: "\"7\""])
        : Response(status: .ok, headerFields: [.eTag: "\"7\""], bytes: Array("seven".utf8))
    }
    let disk = fixture.store()
    let time = TimeSource(TestClock()) { [wall] in wall.now }
    let chain = server.intercepted(
      by: CachingInterceptor(memory: MemoryStore(), store: disk, time: time))
    _ = try await chain.dispatch(Self.request())
    wall.advance(by: .seconds(90))
    #expect(try await chain.dispatch(Self.request()).exchange.cache?.isHit == true)
    await disk.close()
    wall.advance(by: .seconds(50))
    #expect(try await start(isOnline: false).send(Self.request()).text == "seven")
  }
}
#endif
