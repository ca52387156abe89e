import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import ResponseCaching

@Suite struct HeuristicLifetimeTests {
  /// The rule allows 1,000 s.
  private static let rule = CacheRule.stated(heuristicLimit: .seconds(1_000))
  /// Two hours before the start of the clock.
  private static let modified = "Sun, 06 Nov 1994 06:49:37 GMT"

  private func freshness(
    _ fields: HTTPFields, status: Int = 200, rule: CacheRule = rule, isEstimable: Bool = true
  ) -> Freshness {
    let start = CacheInstant(wall: CacheFixture.start, steady: .zero)
    return Freshness(
      of: HTTPResponse(status: HTTPResponse.Status(code: status), headerFields: fields),
      CacheControl(fields[.cacheControl]), requested: start, received: start, rule: rule,
      isEstimable: isEstimable)
  }

  private func request(
    _ path: String = "/v1/houses", rule: CacheRule = rule, method: HTTPRequest.Method = .get
  ) -> Request {
    .houses(path, rule: rule, method: method, api: nil)
  }

  @Test(
    "A response without a lifetime is fresh for a tenth of the time since it was modified, up to the limit",
    arguments: [
      ([.lastModified: modified], 720),
      ([.lastModified: modified, .date: "Sun, 06 Nov 1994 08:49:27 GMT"], 709),
      ([.lastModified: modified, .age: "20"], 700),
      ([.lastModified: "Sat, 05 Nov 1994 08:49:37 GMT"], 1_000),
      ([.lastModified: "Sun, 06 Nov 1994 08:49:37 GMT"], nil),
      ([.lastModified: "Mon, 07 Nov 1994 08:49:37 GMT"], nil), ([.lastModified: "yesterday"], nil),
      ([:], nil), ([.date: "Sun, 06 Nov 1994 08:49:27 GMT"], nil), ([.eTag: "\"a\""], nil),
      ([.lastModified: modified, .cacheControl: "public"], 720),
      ([.lastModified: modified, .cacheControl: "private"], 720),
      ([.lastModified: modified, .cacheControl: "no-cache"], nil),
      ([.lastModified: modified, .cacheControl: "must-revalidate"], nil),
      ([.lastModified: modified, .cacheControl: "s-maxage=9"], nil),
    ] as [(HTTPFields, Int?)])
  func lifetimes(_ fields: HTTPFields, seconds: Int?) {
    let freshness = freshness(fields)
    #expect(freshness.isHeuristic == (seconds != nil))
    #expect(freshness.lifetime.components.seconds == Int64(seconds ?? 0))
  }

  @Test(
    "A stated lifetime is used in place of a heuristic one",
    arguments: [
      ([.cacheControl: "max-age=5"], 5), ([.cacheControl: "max-age=0"], 0), ([.cacheControl: "max-age=x"], 0),
      ([.expires: "Sun, 06 Nov 1994 08:49:47 GMT"], 10), ([.expires: "0"], 0),
    ] as [(HTTPFields, Int)])
  func stated(_ fields: HTTPFields, seconds: Int) {
    var fields = fields
    fields[.lastModified] = Self.modified
    #expect(!freshness(fields).isHeuristic)
    #expect(freshness(fields).lifetime == .seconds(seconds))
  }

  @Test(
    "Only statuses that are cacheable by default get a heuristic lifetime, others if the response is public",
    arguments: [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].map { ($0, true, true) }
      + [201, 202, 302, 307, 403, 500, 503, 599].map { ($0, false, true) }
      + [206, 304, 401, 407, 429].map { ($0, false, false) })
  func statuses(_ status: Int, isPlain: Bool, isPublic: Bool) {
    #expect(freshness([.lastModified: Self.modified], status: status).isHeuristic == isPlain)
    #expect(
      freshness([.lastModified: Self.modified, .cacheControl: "public"], status: status).isHeuristic
        == isPublic)
  }

  @Test("No other rule has a heuristic lifetime", arguments: [.stated(), .timed(), .off] as [CacheRule])
  func off(_ rule: CacheRule) {
    #expect(!freshness([.lastModified: Self.modified], rule: rule).isHeuristic)
    #expect(rule.heuristicLimit == .zero)
  }

  @Test("A hit by a heuristic lifetime is marked, one by a stated lifetime is not")
  func marked() async throws {
    let fixture = CacheFixture(fields: [.lastModified: Self.modified])
    #expect(try await fixture.send(request()).exchange.cache == .forwarded(.uriMiss, stored: true))
    fixture.clock.advance(by: .seconds(20))
    let hit = try await fixture.send(request())
    #expect(hit.exchange.cache == .hit(ttl: 700, isHeuristic: true))
    #expect(hit.exchange.cache?.description == "hit; ttl=700; detail=heuristic")
    fixture.clock.advance(by: .seconds(700))
    #expect(try await fixture.send(request()).exchange.cache == .forwarded(.stale, stored: true))
  }

  @Test("A request whose rule allows no heuristic lifetime doesn't use a response by one")
  func laterRule() async throws {
    let fixture = CacheFixture(fields: [.lastModified: Self.modified])
    _ = try await fixture.send(request())
    let brief = CacheRule.stated(heuristicLimit: .seconds(30))
    #expect(try await fixture.send(request(rule: brief)).exchange.cache == .hit(ttl: 30, isHeuristic: true))
    #expect(
      try await fixture.send(request(rule: .stated())).exchange.cache == .forwarded(.stale, stored: true))
  }

  @Test(
    "A URL with a query, and a method other than GET and HEAD, gets no heuristic lifetime",
    arguments: [("/v1/houses?city=1", "GET"), ("/v1/houses?", "GET"), ("/v1/houses", "QUERY")])
  func queries(_ path: String, method: String) async throws {
    let method = try #require(HTTPRequest.Method(method))
    let fixture = CacheFixture(fields: [.lastModified: Self.modified])
    for _ in 1...2 {
      #expect(try await fixture.send(request(path, method: method)).exchange.cache?.isHit == false)
    }
  }
}
