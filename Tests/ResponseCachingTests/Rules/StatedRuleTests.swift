import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import ResponseCaching

@Suite struct StatedRuleTests {
  private static let window = HTTPFields([
    HTTPField(name: .cacheControl, value: "max-age=30, stale-while-revalidate=20")
  ])

  @Test(
    "Under a stated rule, the response sets its lifetime, up to the rule's 100 s",
    arguments: [
      ([:], 0), ([.cacheControl: "max-age=30"], 30), ([.cacheControl: "max-age=300"], 100),
      ([.expires: "Sun, 06 Nov 1994 08:50:17 GMT"], 40), ([.age: "40"], 0), ([.cacheControl: "public"], 0),
      ([.cacheControl: "max-age=30", .age: "10"], 20), ([.cacheControl: "no-cache, max-age=30"], 0),
      ([.lastModified: "Sat, 05 Nov 1994 00:00:00 GMT"], 0),
    ] as [(HTTPFields, Int)])
  func lifetimes(_ fields: HTTPFields, seconds: Int) {
    let start = CacheInstant(wall: CacheFixture.start, steady: .zero)
    let freshness = Freshness(
      of: HTTPResponse(status: .ok, headerFields: fields), requested: start, received: start,
      rule: .stated(limit: .seconds(100)))
    #expect(freshness.lifetime == .seconds(seconds))
  }

  @Test("The order of parameters selects the response, and a changing method removes every order")
  func order() async throws {
    let fixture = CacheFixture(fields: [.cacheControl: "max-age=30"])
    #expect(try await fixture.text(.stated("/order?first&second")) == "response 1")
    #expect(try await fixture.text(.stated("/order?second&first")) == "response 2")
    #expect(try await fixture.text(.stated("/order?first&second")) == "response 1")
    _ = try await fixture.send(.stated("/order?first&second", method: .put))
    #expect(fixture.store.count == 0)
  }

  @Test("A final response with a 1xx is never stored", arguments: [100, 102, 103, 199])
  func informational(_ code: Int) async throws {
    let fixture = CacheFixture(
      fields: [.cacheControl: "max-age=30"], status: HTTPResponse.Status(code: code))
    #expect(try await fixture.send(.stated()).exchange.cache == .forwarded(.uriMiss, stored: false))
    #expect(fixture.store.count == 0)
  }

  @Test("A response without a stated lifetime is requested each time, or revalidated")
  func unstated() async throws {
    let fixture = CacheFixture()
    #expect(try await fixture.text(.stated()) == "response 1")
    #expect(try await fixture.text(.stated()) == "response 2")
    let tagged = CacheFixture { request, _ throws(NetworkError) in
      request.head.headerFields.contains(.ifNoneMatch)
        ? Response(status: .notModified) : Response(status: .ok, headerFields: [.eTag: "\"a\""], bytes: [1])
    }
    _ = try await tagged.send(.stated())
    #expect(try await tagged.send(.stated()).exchange.cache == .revalidated())
  }

  @Test(
    "Under a stated rule, all final statuses with a lifetime but a few are stored",
    arguments: [(200, true), (201, true), (299, true), (400, true), (404, true), (500, true), (503, true)]
      + [(599, true), (206, false), (304, false), (401, false), (407, false), (428, false), (429, false)]
      + [(431, false), (511, false)])
  func statuses(_ code: Int, isStored: Bool) async throws {
    let status = HTTPResponse.Status(code: code)
    let stated = CacheFixture(fields: [.cacheControl: "max-age=9"], status: status)
    #expect(try await stated.send(.stated()).exchange.cache == .forwarded(.uriMiss, stored: isStored))
    #expect(try await stated.send(.stated()).exchange.cache?.isHit == isStored)
  }

  @Test(
    "An error without a lifetime doesn't replace a stored response",
    arguments: [[:], [.cacheControl: "no-cache"], [.cacheControl: "max-age=0"]] as [HTTPFields])
  func errorsWithoutLifetime(_ fields: HTTPFields) async throws {
    let fixture = CacheFixture { _, number throws(NetworkError) in
      number == 1
        ? Response(status: .ok, headerFields: [.cacheControl: "max-age=5", .eTag: "\"a\""])
        : Response(status: .internalServerError, headerFields: fields)
    }
    _ = try await fixture.send(.stated())
    fixture.clock.advance(by: .seconds(5))
    #expect(try await fixture.send(.stated()).exchange.cache == .forwarded(.stale, stored: false))
    #expect(fixture.store.count == 1)
  }

  @Test("A rule with a time ignores stale-while-revalidate")
  func declared() async throws {
    let fixture = CacheFixture(fields: Self.window)
    _ = try await fixture.send(.houses())
    fixture.clock.advance(by: .seconds(30))
    #expect(try await fixture.send(.houses()).exchange.cache == .forwarded(.stale, stored: true))
  }
}
