import HTTPTypes
import Interception
import ResponseCaching
import SwitchyardTesting
import Testing

/// The directives of requests (RFC 9111, section 5.2.1), and the limits of a request's options.
@Suite struct RequestDirectiveTests {
  /// A fixture with a response that was stored 12 s ago and was fresh for 10 s, or for 60 s.
  private func fixture(_ control: String = "max-age=10") async throws -> CacheFixture {
    let fixture = CacheFixture(fields: [.cacheControl: control])
    _ = try await fixture.send(.stated())
    fixture.clock.advance(by: .seconds(12))
    return fixture
  }

  @Test(
    "max-stale, min-fresh, max-age and immutable decide whether a response of 12 s is used",
    arguments: [
      // The response's directives, the request's, and the remaining lifetime of a hit.
      ("max-age=10", "max-stale", -2), ("max-age=10", "max-stale=2", -2), ("max-age=10", "max-stale=1", nil),
      ("max-age=10", "max-stale=x", nil), ("max-age=10", "max-stale=5, max-age=11", -2),
      ("max-age=10", "max-stale=5, max-age=6", nil), ("max-age=10", "max-stale=5, no-cache", nil),
      ("max-age=10", "max-stale=5, min-fresh=1", nil), ("max-age=10, must-revalidate", "max-stale", nil),
      ("max-age=10, no-cache", "max-stale", nil), ("max-age=10, proxy-revalidate", "max-stale", -2),
      ("max-age=60", "min-fresh=48", 48), ("max-age=60", "min-fresh=49", nil),
      ("max-age=60", "max-age=12", 48), ("max-age=60", "max-age=11", nil),
      ("max-age=60", "max-age=10, max-stale=2", 48), ("max-age=60, immutable", "max-age=0", 48),
      ("max-age=60, immutable", "no-cache", nil), ("max-age=60, immutable", "min-fresh=49", nil),
      ("max-age=10, immutable", "max-age=0", nil),
    ] as [(String, String, Int64?)])
  func freshness(_ response: String, _ request: String, ttl: Int64?) async throws {
    let fixture = try await fixture(response)
    let status = try await fixture.send(.stated(fields: [.cacheControl: request])).exchange.cache
    if let ttl {
      #expect(status == .hit(ttl: ttl))
    } else {
      #expect(status?.isHit == false)
    }
  }

  @Test("only-if-cached gets a suitable stored response or a 504, and never reaches the server")
  func onlyIfCached() async throws {
    let fixture = try await fixture("max-age=60, stale-while-revalidate=60")
    func status(_ control: String, _ path: String = "/v1/houses?city=1", fields: HTTPFields = [:])
      async throws
      -> (Int, Exchange.CacheStatus?)
    {
      var fields = fields
      fields[.cacheControl] = "only-if-cached" + control
      let response = try await fixture.send(.houses(path, rule: .stated(), fields: fields))
      return (response.status.code, response.exchange.cache)
    }
    #expect(try await status("") == (200, .hit(ttl: 48)))
    #expect(try await status(", no-cache") == (504, .unsatisfied))
    #expect(try await status("", "/other") == (504, .unsatisfied))
    #expect(try await status("", fields: [.ifNoneMatch: "\"a\""]) == (504, .unsatisfied))
    #expect(try await status("", fields: [.range: "bytes=900-"]) == (504, .unsatisfied))
    fixture.clock.advance(by: .seconds(50))
    // Not even to refresh a response within its window.
    #expect(try await status("") == (200, .hit(ttl: -2)))
    await fixture.cache.refreshesEnded()
    fixture.clock.advance(by: .seconds(60))
    #expect(try await status("") == (504, .unsatisfied))
    #expect(try await status(", max-stale") == (200, .hit(ttl: -62)))
    #expect(fixture.server.requests.count == 1)
  }

  @Test("A hit that is longer than the request allows fails as it would from the server")
  func deliveryLimit() async throws {
    let fixture = CacheFixture { request, _ throws(NetworkError) in
      request.head.headerFields.contains(.ifNoneMatch)
        ? Response(status: .notModified)
        : Response(status: .ok, headerFields: [.eTag: "\"a\""], bytes: [UInt8](repeating: 1, count: 100))
    }
    _ = try await fixture.send(.houses())
    var request = Request.houses()
    for delivery: RequestOptions.Delivery in [.buffered(upTo: 99), .streamed] {
      request.options.delivery = delivery
      request.options.streamLimit = 99
      let error = await #expect(throws: NetworkError.self) { try await fixture.send(request) }
      #expect(error?.kind == .bodyTooLarge(limit: 99))
      #expect(error?.requestMayHaveBeenProcessed == false)
    }
    request.options.delivery = .buffered(upTo: 100)
    #expect(try await fixture.send(request).exchange.cache?.isHit == true)
    fixture.clock.advance(by: .seconds(60))
    request.options.delivery = .buffered(upTo: 99)
    let error = await #expect(throws: NetworkError.self) { try await fixture.send(request) }
    #expect(error?.kind == .bodyTooLarge(limit: 99))
  }

  @Test("What a request's method or its rule keeps from the cache is reported as such")
  func reasons() async throws {
    let fixture = CacheFixture()
    for (method, rule, reason) in [
      (HTTPRequest.Method.put, CacheRule.timed(), Exchange.CacheStatus.ForwardReason.method),
      (.options, .timed(), .method), (.put, .off, .bypass), (.get, .off, .bypass),
    ] {
      let status = try await fixture.send(.houses(rule: rule, method: method)).exchange.cache
      #expect(status == .forwarded(reason, stored: false))
    }
  }

  @Test("The fields that no-cache lists are not stored; the others are, and the response is fresh")
  func listedFields() async throws {
    let fixture = CacheFixture(
      fields: [
        .cacheControl: "max-age=60, no-cache=\"X-Secret, set-cookie\"", .named("X-Secret"): "1",
        .setCookie: "a=b", .server: "one",
      ])
    let first = try await fixture.send(.stated())
    #expect(first.head.headerFields[.named("X-Secret")] == "1")
    let stored = try await fixture.send(.stated())
    #expect(stored.exchange.cache == .hit(ttl: 60))
    #expect(!stored.head.headerFields.contains(.named("X-Secret")))
    #expect(!stored.head.headerFields.contains(.setCookie))
    #expect(stored.head.headerFields[.server] == "one")
  }

  @Test(
    "must-understand overrides no-store for a status that the cache knows, and forbids to store others",
    arguments: [
      (200, "max-age=9, no-store, must-understand", true),
      (404, "max-age=9, no-store, must-understand", true),
      (599, "max-age=9, no-store, must-understand", false), (599, "max-age=9, must-understand", false),
      (599, "max-age=9", true), (200, "max-age=9, no-store", false),
    ])
  func mustUnderstand(_ code: Int, _ control: String, isStored: Bool) async throws {
    let fixture = CacheFixture(fields: [.cacheControl: control], status: HTTPResponse.Status(code: code))
    #expect(try await fixture.send(.stated()).exchange.cache == .forwarded(.uriMiss, stored: isStored))
  }
}
