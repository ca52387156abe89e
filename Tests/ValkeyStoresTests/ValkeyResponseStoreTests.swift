import HTTPTypes
import Interception
import LoopbackServing
import ResponseCaching
import ResponseStoreConformance
import SwitchyardTesting
import Synchronization
import Testing

@testable import ValkeyStores

/// The store on a real server.
@Suite(.enabled(if: RedisServer.runsSuites), .serialized, .timeLimit(.minutes(5)))
struct ValkeyResponseStoreTests {
  private let clock = TestClock()
  private let failures = Failures()

  private final class Failures: Sendable {
    private let kinds = Mutex<[ValkeyResponseFailure.Kind]>([])
    func add(_ failure: ValkeyResponseFailure) { kinds.withLock { $0.append(failure.kind) } }
    func take() -> [ValkeyResponseFailure.Kind] {
      kinds.withLock { kinds in
        defer { kinds = [] }
        return kinds
      }
    }
  }

  private func configuration(_ port: Int) -> ValkeyConfiguration {
    var configuration = ValkeyConfiguration(host: "127.0.0.1", port: port)
    // A loaded machine is no fault of the server.
    configuration.commandTimeout = .seconds(30)
    configuration.connectTimeout = .seconds(30)
    return configuration
  }

  /// Creates a store whose delays elapse only when the test advances the clock.
  private func store(
    _ configuration: ValkeyConfiguration, limits: ValkeyResponseStore.Limits = ValkeyResponseStore.Limits()
  ) -> ValkeyResponseStore {
    let failures = failures
    return ValkeyResponseStore(
      configuration, limits: limits, time: TimeSource(clock), onFailure: { failures.add($0) })
  }

  private func text(
    _ store: ValkeyResponseStore, _ request: Request, fields: HTTPFields = [:]
  ) async throws -> String? {
    await store.response(for: try ResponseValues.key(of: request), requestFields: fields).map {
      String(decoding: $0.body, as: UTF8.self)
    }
  }

  private func keep(
    _ store: ValkeyResponseStore, _ request: Request, _ text: String = "a response",
    fields: HTTPFields = [.eTag: "\"1\""], tags: Set<CacheRule.Tag> = [], after delay: Duration = .zero
  ) async throws -> Bool {
    let response = try ResponseValues.response(
      to: request, text, fields: fields, tags: tags, receivedAfter: delay)
    return await store.store(response, requestFields: request.head.headerFields, at: ResponseValues.now)
  }

  @Test("One fetch serves all servers of a fleet")
  func fleet() async throws {
    let redis = try await RedisServer()
    let origin = ScriptedDispatcher { _, number throws(NetworkError) in
      Response(status: .ok, bytes: Array("response \(number)".utf8))
    }
    let chains = [0, 1].map { _ in
      origin.intercepted(by: CachingInterceptor(store: store(configuration(redis.port))))
    }
    for chain in chains {
      let response = try await chain.dispatch(ResponseValues.request())
      #expect(try await response.body.collect(upTo: 100) == Array("response 1".utf8))
    }
    guard case .hit? = try await chains[1].dispatch(ResponseValues.request()).exchange.cache else {
      Issue.record("The second server fetched the response again.")
      return
    }
    #expect(failures.take() == [])
  }

  @Test("A response is stored by key and variant, and replaced by a newer one for the same request")
  func variants() async throws {
    let redis = try await RedisServer()
    let (first, second) = (store(configuration(redis.port)), store(configuration(redis.port)))
    var german = ResponseValues.request()
    german.head.headerFields[.acceptLanguage] = "de"
    var french = german
    french.head.headerFields[.acceptLanguage] = "fr"
    let vary: HTTPFields = [.vary: "Accept-Language"]
    #expect(try await keep(first, german, "Haus", fields: vary))
    #expect(try await text(second, german, fields: german.head.headerFields) == "Haus")
    #expect(try await text(second, french, fields: french.head.headerFields) == nil)
    #expect(try await text(second, ResponseValues.request("/v1/houses?page=2")) == nil)
    #expect(try await text(second, ResponseValues.request(partition: "bob")) == nil)
    // Without Vary the response replaces the variant, which must not come back when the new one is removed.
    #expect(try await keep(second, german, "Häuser", after: .seconds(1)))
    #expect(try await text(first, german, fields: german.head.headerFields) == "Häuser")
    let count = try await redis.run("--raw", "KEYS", "switchyard:cache:response:*")
    #expect(count.split(separator: "\n").count == 1)
    #expect(failures.take() == [])
  }

  @Test("The store keeps the rules of all stores, and one that declines an older response has not failed")
  func conformance() async throws {
    let redis = try await RedisServer()
    let violations = try await ResponseStoreConformance(store(configuration(redis.port))).violations()
    #expect(violations == [])
    #expect(failures.take() == [])
  }

  @Test("A response expires on the server after its lifetime and the time for stale ones")
  func expiry() async throws {
    let redis = try await RedisServer()
    let store = store(configuration(redis.port))
    #expect(try await keep(store, ResponseValues.request()))
    let name = try await redis.run("--raw", "KEYS", "switchyard:cache:response:*").split(separator: "\n")[0]
    let milliseconds = try #require(Int(try await redis.run("PTTL", String(name)).split(separator: "\n")[0]))
    #expect((3_560_000...3_660_000).contains(milliseconds))
    let brief = self.store(
      configuration(redis.port), limits: ValkeyResponseStore.Limits(lifetime: .milliseconds(1)))
    let other = ResponseValues.request("/v1/other", service: "other")
    _ = try await keep(brief, other)
    // It is stored for one millisecond, which two round trips of another program exceed.
    try await waitUntil("the response has expired") {
      try await redis.run("DBSIZE") == redis.run("DBSIZE")
    }
    #expect(try await text(brief, other) == nil)
  }

  @Test("A response that is declined removes the one that it would have replaced")
  func declined() async throws {
    let redis = try await RedisServer()
    let store = store(
      configuration(redis.port), limits: ValkeyResponseStore.Limits(responseBytes: 10_000))
    let request = ResponseValues.request()
    #expect(try await keep(store, request))
    #expect(try await keep(store, request, String(repeating: "a", count: 10_000)) == false)
    #expect(try await text(store, request) == nil)
    #expect(failures.take() == [])
  }

  @Test(
    "A removal by any store removes the selected responses for all, and no others",
    arguments: [
      (.all, []), (.partition("alice"), [1]), (.service("estate"), [2]), (.tags(["sold"]), [1, 2, 3]),
      (.api(APIIdentity(service: "estate", name: "houses.list")), [2, 3]),
    ] as [(CacheSelection, Set<Int>)])
  func removal(_ selection: CacheSelection, kept: Set<Int>) async throws {
    let redis = try await RedisServer()
    let (first, second) = (store(configuration(redis.port)), store(configuration(redis.port)))
    let requests = [
      ResponseValues.request("/a"), ResponseValues.request("/a", partition: "bob"),
      ResponseValues.request("/b", service: "loans"), ResponseValues.request("/c", api: "agents.list"),
    ]
    for (number, request) in requests.enumerated() {
      #expect(try await keep(first, request, tags: number == 0 ? ["sold", "new"] : ["new"]))
    }
    for request in requests { #expect(try await text(second, request) != nil) }
    #expect(await second.remove(selection) == 1)
    for (number, request) in requests.enumerated() {
      #expect(try await (text(first, request) != nil) == kept.contains(number), "\(number)")
    }
    #expect(await second.remove(selection) == 0)
    #expect(try await keep(first, requests[0], "again"))
    #expect(try await text(second, requests[0]) == "again")
    #expect(failures.take() == [])
  }

  @Test("A write to a target removes its responses for all accounts and servers")
  func invalidation() async throws {
    let redis = try await RedisServer()
    let store = store(configuration(redis.port))
    let origin = ScriptedDispatcher { _, _ throws(NetworkError) in Response(status: .ok, bytes: [1]) }
    let chain = origin.intercepted(by: CachingInterceptor(store: self.store(configuration(redis.port))))
    let (alice, bob) = (ResponseValues.request(), ResponseValues.request(partition: "bob"))
    let other = ResponseValues.request("/other")
    for request in [alice, bob, other] { #expect(try await keep(store, request)) }
    var write = alice
    write.head.method = .put
    _ = try await chain.dispatch(write)
    for request in [alice, bob] { #expect(try await text(store, request) == nil) }
    #expect(try await text(store, other) != nil)
  }

  @Test("Without a server everything is a miss, and the store connects again after the delay")
  func unreachable() async throws {
    let redis = try await RedisServer()
    let store = store(configuration(redis.port))
    let request = ResponseValues.request()
    #expect(try await keep(store, request))
    try await redis.kill()
    #expect(try await text(store, request) == nil)
    #expect(try await keep(store, request) == false)
    #expect(failures.take() == [.unreachable, .unreachable])
    try await redis.start()
    #expect(try await text(store, request) == nil)
    #expect(failures.take() == [.unreachable], "The delay was ignored.")
    clock.advance(by: .milliseconds(51))
    // The server was restarted empty.
    #expect(try await text(store, request) == nil)
    #expect(try await keep(store, request))
    #expect(try await text(store, request) == "a response")
    #expect(failures.take() == [])
  }

  @Test("A server that doesn't reply is given up after the time limit, and what it did not store is a miss")
  func slow() async throws {
    let redis = try await RedisServer()
    var impatient = configuration(redis.port)
    impatient.commandTimeout = .milliseconds(300)
    let (store, other) = (store(impatient), self.store(configuration(redis.port)))
    let request = ResponseValues.request()
    #expect(try await keep(store, request))
    redis.pause()
    #expect(try await text(store, request) == nil)
    #expect(try await keep(store, request, "newer") == false)
    #expect(failures.take() == [.timedOut, .timedOut])
    redis.resume()
    // The clock is advanced beyond any delay of the schedule.
    var isKept = false
    repeat {
      clock.advance(by: .seconds(3))
      #expect(try await text(store, request) == nil, "The older response came back.")
      isKept = try await keep(store, request, "newest")
    } while !isKept
    #expect(try await text(other, request) == "newest")
  }

  @Test("A removal that fails is repeated before the next lookup, which therefore finds nothing")
  func failedRemoval() async throws {
    let redis = try await RedisServer()
    let store = store(configuration(redis.port))
    let (removed, kept) = (ResponseValues.request(), ResponseValues.request(service: "loans"))
    for request in [removed, kept] { #expect(try await keep(store, request)) }
    try await redis.run("ACL", "SETUSER", "default", "-del")
    #expect(await store.remove(.service("estate")) == 0)
    #expect(try await text(store, removed) == nil)
    #expect(failures.take() == [.refused, .refused])
    try await redis.run("ACL", "SETUSER", "default", "+del")
    #expect(try await text(store, removed) == nil)
    #expect(try await text(store, kept) == "a response")
    #expect(failures.take() == [])
  }

  @Test("A full server declines responses and still finds those it has")
  func full() async throws {
    let redis = try await RedisServer(arguments: ["--maxmemory-policy", "noeviction"])
    let store = store(configuration(redis.port))
    #expect(try await keep(store, ResponseValues.request()))
    try await redis.run("CONFIG", "SET", "maxmemory", "1")
    #expect(try await keep(store, ResponseValues.request("/other")) == false)
    #expect(failures.take() == [.full])
    #expect(try await text(store, ResponseValues.request()) == "a response")
  }

  @Test("A server that evicts keys is suitable, and an evicted group costs misses only")
  func evicting() async throws {
    let redis = try await RedisServer(
      arguments: ["--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"])
    let store = store(configuration(redis.port))
    let request = ResponseValues.request()
    #expect(try await keep(store, request))
    #expect(try await text(store, request) == "a response")
    try await redis.run("DEL", "switchyard:cache:group:all")
    #expect(try await text(store, request) == nil)
    #expect(try await keep(store, request))
    #expect(try await text(store, request) == "a response")
  }

  @Test("A value that was changed on the server is a miss")
  func changed() async throws {
    let redis = try await RedisServer()
    let store = store(configuration(redis.port))
    let request = ResponseValues.request()
    #expect(try await keep(store, request))
    let name = try await redis.run("--raw", "KEYS", "switchyard:cache:response:*").split(separator: "\n")[0]
    let length = try #require(Int(try await redis.run("STRLEN", String(name)).split(separator: "\n")[0]))
    for offset in stride(from: 0, to: length, by: 97) {
      #expect(try await keep(store, request))
      let former = try await redis.run("--raw", "GETRANGE", String(name), "\(offset)", "\(offset)")
      let changed = former.hasPrefix("~") ? "#" : "~"
      try await redis.run("SETRANGE", String(name), "\(offset)", changed)
      #expect(try await text(store, request) == nil, "\(offset)")
    }
    #expect(failures.take() == [])
  }

  @Test("Beyond the maximum number of waiting calls, a call is a miss")
  func overloaded() async throws {
    let redis = try await RedisServer()
    var configuration = configuration(redis.port)
    configuration.maximumWaitingClaims = 1
    let store = store(configuration)
    let request = ResponseValues.request()
    #expect(try await keep(store, request))
    redis.pause()
    let key = try ResponseValues.key(of: request)
    let found = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<50 { group.addTask { await store.response(for: key, requestFields: [:]) != nil } }
      var found: [Bool] = []
      for await isFound in group {
        found.append(isFound)
        if found.count == 1 { redis.resume() }
      }
      return found
    }
    #expect(found.contains(true) && found.contains(false))
    #expect(Set(failures.take()) == [.overloaded])
  }

  @Test("Releasing the store closes its connection and ends its thread")
  func release() async throws {
    let redis = try await RedisServer()
    do {
      let store = store(configuration(redis.port))
      #expect(try await keep(store, ResponseValues.request()))
      #expect(try await redis.run("CLIENT", "LIST").split(separator: "\n").count == 2)
    }
    // The thread ends after the release.
    try await waitUntil("the store's connection is closed") {
      try await redis.run("CLIENT", "LIST").split(separator: "\n").count == 1
    }
  }
}
