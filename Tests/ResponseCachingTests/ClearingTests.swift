import HTTPTypes
import Interception
import ResponseCaching
import SwitchyardTesting
import Synchronization
import Testing

@Suite struct ClearingTests {
  private let houses = APIIdentity(service: "estate", name: "houses.list")
  private let agents = APIIdentity(service: "estate", name: "agents.list")
  private let weather = APIIdentity(service: "weather", name: "now")

  /// Creates a fixture with responses of three APIs for two accounts.
  private func filled() async throws -> CacheFixture {
    let fixture = CacheFixture()
    for partition in ["ada", "bob"] {
      for (api, path) in [(houses, "/houses"), (agents, "/agents"), (weather, "/weather")] {
        _ = try await fixture.send(.houses(path, partition: partition, api: api))
      }
    }
    #expect(fixture.store.count == 6)
    return fixture
  }

  @Test("D7: Responses can be removed by API, partition and service, or all at once")
  func wiping() async throws {
    let fixture = try await filled()
    #expect(await fixture.cache.wipe(api: agents) == 2)
    #expect(await fixture.cache.wipe(partition: "ada") == 2)
    #expect(
      try await fixture.send(.houses("/houses", partition: "bob", api: houses)).exchange.cache?.isHit == true)
    #expect(
      try await fixture.send(.houses("/houses", partition: "ada", api: houses)).exchange.cache?.isHit == false
    )
    #expect(await fixture.cache.wipe(service: "weather") == 1)
    #expect(await fixture.cache.removeAll() == 2)
    #expect(fixture.store.count == 0)
    #expect(fixture.store.bytes == 0)
  }

  /// A store with whose next lookup another call coincides.
  private final class SlowStore: ResponseStore {
    let memory = MemoryStore()
    let duringLookup = Mutex<(@Sendable () async -> Void)?>(nil)

    func response(for key: CacheKey, requestFields: HTTPFields) async -> StoredResponse? {
      let found = await memory.response(for: key, requestFields: requestFields)
      let work = duringLookup.withLock { work in
        defer { work = nil }
        return work
      }
      await work?()
      return found
    }

    func store(_ response: StoredResponse, requestFields: HTTPFields, at now: CacheInstant) async -> Bool {
      await memory.store(response, requestFields: requestFields, at: now)
    }

    func remove(_ selection: CacheSelection) async -> Int { await memory.remove(selection) }
  }

  @Test(
    "A response that is removed while it is looked up is neither confirmed nor used; the server is asked anew"
  )
  func wipeDuringLookup() async throws {
    let clock = TestClock()
    let server = ScriptedDispatcher { request, _ throws(NetworkError) in
      let isConfirmed = request.head.headerFields[.ifNoneMatch] != nil
      return Response(status: isConfirmed ? .notModified : .ok, headerFields: [.eTag: "\"1\""], bytes: [])
    }
    let store = SlowStore()
    let cache = CachingInterceptor(store: store, time: TimeSource(clock))
    let chain = server.intercepted(by: cache)
    let request = Request.houses(partition: "ada")
    _ = try await chain.dispatch(request)
    #expect(store.memory.count == 1)
    clock.advance(by: .seconds(100))
    store.duringLookup.withLock { $0 = { await cache.wipe(partition: "ada") } }
    let response = try await chain.dispatch(request)
    #expect(response.status == .ok && response.exchange.cache?.isHit == false)
    #expect(server.requests.map { $0.head.headerFields[.ifNoneMatch] } == [nil, nil])
  }

  @Test("Accounts never share responses, by partition or else by credentials")
  func partitions() async throws {
    let fixture = CacheFixture()
    let requests: [Request] = [
      .houses(partition: "ada"), .houses(partition: "bob"), .houses(),
      .houses(fields: [.authorization: "Bearer a"]), .houses(fields: [.authorization: "Bearer b"]),
      .houses(fields: [.cookie: "session=a"]), .houses(fields: [.cookie: "session=b"]),
    ]
    for (index, request) in requests.enumerated() {
      #expect(try await fixture.text(request) == "response \(index + 1)")
    }
    for (index, request) in requests.enumerated() {
      #expect(try await fixture.text(request) == "response \(index + 1)")
    }
  }

  @Test("Within a partition a new token doesn't cause a miss")
  func tokenRefresh() async throws {
    let fixture = CacheFixture()
    _ = try await fixture.send(.houses(partition: "ada", fields: [.authorization: "Bearer 1"]))
    let response = try await fixture.send(.houses(partition: "ada", fields: [.authorization: "Bearer 2"]))
    #expect(response.exchange.cache?.isHit == true)
  }

  @Test("A logout also removes the responses of several accounts together")
  func wipingTogether() async throws {
    let fixture = CacheFixture()
    let provided = [Request.Identity.account("ada"), .account("bob"), .unnamed()]
    let request = provided.reduce(Request.houses()) { $0.identified(as: $1) }
    _ = try await fixture.send(request)
    #expect(fixture.store.count == 1)
    #expect(await fixture.cache.wipe(partition: "eve") == 0)
    #expect(await fixture.cache.wipe(partition: "") == 0)
    #expect(await fixture.cache.wipe(partition: "bob") == 1)
  }

  @Test("An invalid response can be removed with the original request, of its account or else of all")
  func invalidated() async throws {
    let fixture = CacheFixture()
    _ = try await fixture.send(.houses(fields: [.authorization: "Bearer 1"]))
    _ = try await fixture.send(.houses(partition: "ada"))
    _ = try await fixture.send(.houses(partition: "bob"))
    #expect(await fixture.cache.invalidate(.houses(rule: .off, partition: "bob")) == 1)
    #expect(try await fixture.send(.houses(partition: "ada")).exchange.cache?.isHit == true)
    #expect(await fixture.cache.invalidate(.houses(rule: .off)) == 2)
    #expect(
      try await fixture.send(.houses(fields: [.authorization: "Bearer 1"])).exchange.cache
        == .forwarded(.uriMiss, stored: true))
  }

  @Test(
    "A non-error response to an unsafe method removes its target in all partitions",
    arguments: [HTTPRequest.Method.put, .post, .delete, .patch])
  func unsafe(_ method: HTTPRequest.Method) async throws {
    let fixture = CacheFixture()
    for partition in ["ada", "bob"] { _ = try await fixture.send(.houses("/houses/7", partition: partition)) }
    _ = try await fixture.send(.houses("/houses/8"))
    let response = try await fixture.send(.houses("/houses/7", rule: .off, partition: "ada", method: method))
    #expect(response.exchange.cache == .forwarded(.bypass, stored: false))
    for partition in ["ada", "bob"] {
      #expect(
        try await fixture.send(.houses("/houses/7", partition: partition)).exchange.cache?.isHit == false)
    }
    #expect(try await fixture.send(.houses("/houses/8")).exchange.cache?.isHit == true)
  }

  @Test("An error response to an unsafe method removes nothing; a broken connection does")
  func failedUnsafe() async throws {
    let fixture = CacheFixture { request, number throws(NetworkError) in
      switch number {
      case 2: return Response(status: .conflict)
      case 3: throw NetworkError(.connect, "Refused.")
      case 4: throw NetworkError(.transport, "Broken.", requestMayHaveBeenProcessed: true)
      default: return Response(status: .ok)
      }
    }
    _ = try await fixture.send(.houses())
    _ = try await fixture.send(.houses(method: .put))
    await #expect(throws: NetworkError.self) { try await fixture.send(.houses(method: .put)) }
    #expect(fixture.store.count == 1)
    await #expect(throws: NetworkError.self) { try await fixture.send(.houses(method: .put)) }
    #expect(fixture.store.count == 0)
  }

  @Test("A response in flight while its account is wiped is not stored", .timeLimit(.minutes(5)))
  func wipedMeanwhile() async throws {
    let arrived = Gate(count: 2)
    let released = Gate(count: 2)
    let fixture = CacheFixture { request, number throws(NetworkError) in
      if number == 1 {
        await arrived.arrive()
        await released.arrive()
      }
      return Response(status: .ok, bytes: [UInt8(number)])
    }
    async let slow = fixture.send(.houses(partition: "ada"))
    await arrived.arrive()
    _ = try await fixture.send(.houses(partition: "bob"))
    await fixture.cache.wipe(partition: "ada")
    await released.arrive()
    #expect(try await slow.exchange.cache == .forwarded(.uriMiss, stored: false))
    #expect(fixture.store.count == 1)
  }
}
