import HTTPTypes
import Interception
import ResponseCaching
import SwitchyardTesting
import Testing

@Suite struct DefaultRuleTests {
  private static let minute: HTTPFields = [.cacheControl: "max-age=60"]

  @Test("The default rule applies to requests that name none, and not to those that name one")
  func applies() async throws {
    let fixture = CacheFixture(defaultRule: .stated(), fields: Self.minute)
    #expect(try await fixture.text(.houses(rule: .inherited)) == "response 1")
    #expect(try await fixture.send(.houses(rule: .inherited)).exchange.cache == .hit(ttl: 60))
    #expect(fixture.cache.storedState(for: .houses(rule: .inherited)) == .fresh)
    #expect(fixture.cache.storedState(for: .houses(rule: .off)) == .absent)
    #expect(try await fixture.text(.houses(rule: .off)) == "response 2")
    // A named rule replaces the default one also where it is shorter.
    fixture.clock.advance(by: .seconds(20))
    #expect(try await fixture.text(.houses(rule: .timed(.seconds(10)))) == "response 3")
  }

  @Test("Under the rule stated, a response that states nothing is revalidated at each use")
  func states() async throws {
    let fixture = CacheFixture(defaultRule: .stated())
    #expect(try await fixture.text(.houses(rule: .inherited)) == "response 1")
    #expect(try await fixture.text(.houses(rule: .inherited)) == "response 2")
    // A lifetime of 100 years, limited by the rule's default maximum of 2^31 s.
    let lasting = CacheFixture(defaultRule: .stated(), fields: [.cacheControl: "max-age=3155760000"])
    _ = try await lasting.send(.houses(rule: .inherited))
    #expect(try await lasting.send(.houses(rule: .inherited)).exchange.cache == .hit(ttl: 1 << 31))
  }

  @Test("A call's mode takes precedence over that of the default rule")
  func modes() async throws {
    let fixture = CacheFixture(defaultRule: .timed().with(.preferStored))
    #expect(try await fixture.text(.houses(rule: .inherited)) == "response 1")
    fixture.clock.advance(by: .seconds(200))
    #expect(try await fixture.text(.houses(rule: .inherited)) == "response 1")
    #expect(try await fixture.text(.houses(rule: .inherited.with(.reload))) == "response 2")
  }

  @Test("A POST is not cached by the default rule, and removes what is stored for its target")
  func post() async throws {
    let fixture = CacheFixture(defaultRule: .timed())
    _ = try await fixture.send(.houses(rule: .inherited))
    let post = Request.houses(rule: .inherited, method: .post)
    #expect(try await fixture.send(post).exchange.cache == .forwarded(.method, stored: false))
    #expect(fixture.store.count == 0)
  }
}
