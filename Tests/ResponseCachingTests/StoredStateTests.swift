import HTTPTypes
import Interception
import ResponseCaching
import SwitchyardTesting
import Testing

@Suite("What the cache knows without waiting")
struct StoredStateTests {
  @Test("A response is absent until it is stored, fresh for its lifetime, and stale afterwards")
  func lifetime() async throws {
    let fixture = CacheFixture(fields: [.eTag: "\"1\""])
    #expect(fixture.cache.storedState(for: .houses()) == .absent)
    _ = try await fixture.text(.houses())
    #expect(fixture.cache.storedState(for: .houses()) == .fresh)
    #expect(fixture.cache.storedState(for: .houses("/v1/houses?city=2")) == .absent)
    #expect(fixture.cache.storedState(for: .houses(partition: "ann")) == .absent)
    fixture.clock.advance(by: .seconds(60))
    #expect(fixture.cache.storedState(for: .houses()) == .stale)
    await fixture.cache.removeAll()
    #expect(fixture.cache.storedState(for: .houses()) == .absent)
  }

  @Test("Requests that don't use the cache have no stored response")
  func unused() async throws {
    let fixture = CacheFixture()
    _ = try await fixture.text(.houses())
    #expect(fixture.cache.storedState(for: .houses(rule: .off)) == .absent)
    #expect(fixture.cache.storedState(for: .houses(method: .put)) == .absent)
    #expect(fixture.cache.storedState(for: .houses(fields: [.cacheControl: "no-store"])) == .absent)
  }

  @Test("A response that depends on fields which the request doesn't have yet is unknown, not absent")
  func laterFields() async throws {
    let fixture = CacheFixture(fields: [.vary: "Accept-Language"])
    _ = try await fixture.text(.houses(fields: [.acceptLanguage: "de"]))
    #expect(fixture.cache.storedState(for: .houses()) == .unknown)
    #expect(fixture.cache.storedState(for: .houses(fields: [.acceptLanguage: "de"])) == .fresh)
    let members = CacheFixture()
    _ = try await members.text(.houses(fields: [.authorization: "Bearer 1"]))
    #expect(members.cache.storedState(for: .houses()) == .unknown)
    #expect(members.cache.storedState(for: .houses("/v1/houses?city=2")) == .absent)
  }

  @Test("With a store other than the one in memory the state is unknown")
  func otherStore() {
    struct Disk: ResponseStore {
      func response(for key: CacheKey, requestFields: HTTPFields) async -> StoredResponse? { nil }
      func store(_ response: StoredResponse, requestFields: HTTPFields, at now: CacheInstant) async -> Bool {
        false
      }
      func remove(_ selection: CacheSelection) async -> Int { 0 }
    }
    let cache = CachingInterceptor(store: Disk())
    #expect(cache.storedState(for: .houses()) == .unknown)
    #expect(cache.storedState(for: .houses(rule: .off)) == .absent)
  }

  @Test("Asking for the state does not protect a response from eviction")
  func eviction() async throws {
    func survivors(_ probes: Bool) async throws -> Int {
      let fixture = CacheFixture(limits: MemoryStore.Limits(responses: 2))
      for city in 1...8 {
        _ = try await fixture.text(.houses("/v1/houses?city=\(city)"))
        if probes { _ = fixture.cache.storedState(for: .houses("/v1/houses?city=1")) }
      }
      var found = 0
      for city in 1...8 where fixture.cache.storedState(for: .houses("/v1/houses?city=\(city)")) == .fresh {
        found += city
      }
      return found
    }
    #expect(try await survivors(true) == survivors(false))
  }
}
