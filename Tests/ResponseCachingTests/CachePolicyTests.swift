import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import ResponseCaching

@Suite struct CachePolicyTests {
  private static let window = HTTPFields([
    HTTPField(name: .cacheControl, value: "max-age=30, stale-while-revalidate=20")
  ])

  @Test(
    "Under the policy stated, the response sets its lifetime, up to the rule's 100 s",
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
      rule: .seconds(100), policy: .stated)
    #expect(freshness.lifetime == .seconds(seconds))
  }

  @Test("A response without a stated lifetime is requested each time, or revalidated")
  func unstated() async throws {
    let fixture = CacheFixture(policy: .stated)
    #expect(try await fixture.text(.houses()) == "response 1")
    #expect(try await fixture.text(.houses()) == "response 2")
    let tagged = CacheFixture(policy: .stated) { request, _ throws(NetworkError) in
      request.head.headerFields.contains(.ifNoneMatch)
        ? Response(status: .notModified) : Response(status: .ok, headerFields: [.eTag: "\"a\""], bytes: [1])
    }
    _ = try await tagged.send(.houses())
    #expect(try await tagged.send(.houses()).exchange.cache == .revalidated)
  }

  @Test(
    "Under the policy stated, all final statuses with a lifetime but a few are stored",
    arguments: [(200, true), (201, true), (299, true), (400, true), (404, true), (500, true), (503, true)]
      + [(599, true), (206, false), (304, false), (401, false), (407, false), (428, false), (429, false)]
      + [(431, false), (511, false)])
  func statuses(_ code: Int, isStored: Bool) async throws {
    let status = HTTPResponse.Status(code: code)
    let stated = CacheFixture(policy: .stated, fields: [.cacheControl: "max-age=9"], status: status)
    #expect(try await stated.send(.houses()).exchange.cache == .forwarded(.uriMiss, stored: isStored))
    #expect(try await stated.send(.houses()).exchange.cache?.isHit == isStored)
  }

  @Test(
    "An error without a lifetime doesn't replace a stored response",
    arguments: [[:], [.cacheControl: "no-cache"], [.cacheControl: "max-age=0"]] as [HTTPFields])
  func errorsWithoutLifetime(_ fields: HTTPFields) async throws {
    let fixture = CacheFixture(policy: .stated) { _, number throws(NetworkError) in
      number == 1
        ? Response(status: .ok, headerFields: [.cacheControl: "max-age=5", .eTag: "\"a\""])
        : Response(status: .internalServerError, headerFields: fields)
    }
    _ = try await fixture.send(.houses())
    fixture.clock.advance(by: .seconds(5))
    #expect(try await fixture.send(.houses()).exchange.cache == .forwarded(.stale, stored: false))
    #expect(fixture.store.count == 1)
  }

  @Test("The policy declared ignores stale-while-revalidate")
  func declared() async throws {
    let fixture = CacheFixture(fields: Self.window)
    _ = try await fixture.send(.houses())
    fixture.clock.advance(by: .seconds(30))
    #expect(try await fixture.send(.houses()).exchange.cache == .forwarded(.stale, stored: true))
  }
}
