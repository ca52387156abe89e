import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import ResponseCaching

@Suite(.timeLimit(.minutes(5)))
struct StaleWindowTests {
  private static let window: HTTPFields = [.cacheControl: "max-age=10, stale-while-revalidate=20"]

  /// Creates a fixture with a stored response that has been stale for two seconds.
  private func staleFixture(_ fields: HTTPFields = window, rule: CacheRule = .stated(limit: .seconds(60)))
    async throws
    -> CacheFixture
  {
    let fixture = CacheFixture(fields: fields)
    _ = try await fixture.send(.houses(rule: rule))
    fixture.clock.advance(by: .seconds(12))
    return fixture
  }

  @Test("Within its window a stale response is served, and refreshed for the next caller")
  func refreshed() async throws {
    let fixture = try await staleFixture()
    let stale = try await fixture.send(.stated())
    #expect(try await stale.body.collect(upTo: 99) == Array("response 1".utf8))
    #expect(stale.exchange == Exchange(attempts: 0, cache: .hit(ttl: -2)))
    #expect(stale.head.headerFields[.age] == "12")
    await fixture.cache.refreshesEnded()
    let fresh = try await fixture.send(.stated())
    #expect(try await fresh.body.collect(upTo: 99) == Array("response 2".utf8))
    #expect(fresh.exchange.cache == .hit(ttl: 10))
    #expect(fixture.server.requests.count == 2)
  }

  @Test("A response with a validator is refreshed with a conditional request")
  func confirmed() async throws {
    let fields = Self.window
    let fixture = CacheFixture { request, number throws(NetworkError) in
      number == 1
        ? Response(status: .ok, headerFields: [.eTag: "\"a\"", .cacheControl: fields[.cacheControl] ?? ""])
        : Response(status: .notModified)
    }
    _ = try await fixture.send(.stated())
    fixture.clock.advance(by: .seconds(12))
    #expect(try await fixture.send(.stated()).exchange.cache == .hit(ttl: -2))
    await fixture.cache.refreshesEnded()
    #expect(fixture.server.requests.last?.head.headerFields[.ifNoneMatch] == "\"a\"")
    #expect(try await fixture.send(.stated()).exchange.cache == .hit(ttl: 10))
  }

  @Test("The window ends 20 s after the lifetime of 10 s, or with the rule's lifetime")
  func bounds() async throws {
    for (rule, last) in [(60, 30), (25, 24)] {
      let rule = CacheRule.stated(limit: .seconds(rule))
      let fixture = try await staleFixture(rule: rule)
      fixture.clock.advance(by: .seconds(last - 12))
      #expect(try await fixture.send(.houses(rule: rule)).exchange.cache?.isHit == true)
      await fixture.cache.refreshesEnded()
      fixture.clock.advance(by: .seconds(last + 1))
      #expect(try await fixture.send(.houses(rule: rule)).exchange.cache == .forwarded(.stale, stored: true))
    }
  }

  @Test(
    "There is no window with must-revalidate, no-cache or a malformed value",
    arguments: [
      "max-age=10, stale-while-revalidate=20, must-revalidate", "max-age=10, stale-while-revalidate",
      "max-age=10, stale-while-revalidate=x", "no-cache, max-age=10, stale-while-revalidate=20",
      "max-age=10, stale-while-revalidate=20, stale-while-revalidate=1", "max-age=10",
    ])
  func none(_ control: String) async throws {
    let fixture = try await staleFixture([.cacheControl: control])
    #expect(try await fixture.send(.stated()).exchange.cache == .forwarded(.stale, stored: true))
  }

  @Test(
    "A request with max-age or no-cache is never served a stale response",
    arguments: ["max-age=3600", "no-cache"])
  func requestDirectives(_ control: String) async throws {
    let fixture = try await staleFixture()
    #expect(
      try await fixture.send(.stated(fields: [.cacheControl: control])).exchange.cache
        == .forwarded(.stale, stored: true))
  }

  @Test("Many callers within the window cause one request, which outlives a cancelled caller")
  func once() async throws {
    let gate = Gate(count: 2)
    let fields = Self.window
    let fixture = CacheFixture { _, number throws(NetworkError) in
      if number > 1 { await gate.arrive() }
      return Response(status: .ok, headerFields: fields, bytes: [UInt8(number)])
    }
    _ = try await fixture.send(.stated())
    fixture.clock.advance(by: .seconds(12))
    let caller = Task {
      let response = try await fixture.send(.stated())
      withUnsafeCurrentTask { $0?.cancel() }
      return response
    }
    #expect(try await caller.value.body.collect(upTo: 9) == [1])
    #expect(caller.isCancelled)
    for _ in 1...5 { #expect(try await fixture.send(.stated()).body.collect(upTo: 9) == [1]) }
    await gate.arrive()
    await fixture.cache.refreshesEnded()
    #expect(fixture.server.requests.count == 2)
    #expect(try await fixture.send(.stated()).body.collect(upTo: 9) == [2])
  }

  @Test("A background refresh is not limited by the time of the call that caused it")
  func callLimit() async throws {
    let fixture = try await staleFixture()
    var request = Request.stated()
    request.options.timeouts.call = .seconds(5)
    #expect(try await fixture.send(request).exchange.cache == .hit(ttl: -2))
    await fixture.cache.refreshesEnded()
    #expect(fixture.server.requests.map(\.options.timeouts.call) == [nil, nil])
  }

  @Test("A failed background refresh keeps the stored response; the next caller retries")
  func failure() async throws {
    let fields = Self.window
    let fixture = CacheFixture { _, number throws(NetworkError) in
      guard number != 2 else { throw NetworkError(.offline, "There is no network.") }
      return Response(status: .ok, headerFields: fields, bytes: [UInt8(number)])
    }
    _ = try await fixture.send(.stated())
    fixture.clock.advance(by: .seconds(12))
    for _ in 1...2 {
      #expect(try await fixture.send(.stated()).body.collect(upTo: 9) == [1])
      await fixture.cache.refreshesEnded()
    }
    #expect(fixture.server.requests.count == 3)
    #expect(try await fixture.send(.stated()).body.collect(upTo: 9) == [3])
  }

  @Test(
    "A response that can't be stored makes the stale one unusable, unless it is a failure",
    arguments: [
      (Response(status: .ok, headerFields: [.cacheControl: "no-store"]), true),
      (Response(status: .ok, headerFields: [.vary: "*"]), true),
      (
        Response(HTTPResponse(status: .ok), body: .stream(BodyStream(length: 1, ScriptedByteSource([[1]])))),
        true
      ),
      (Response(status: .notFound), true), (Response(status: .forbidden), true),
      (Response(status: .unauthorized), false), (Response(status: .tooManyRequests), false),
      (Response(status: .serviceUnavailable), false), (Response(status: .internalServerError), false),
      (Response(status: .ok, headerFields: [.contentLength: "9"], bytes: [1]), false),
    ])
  func superseded(_ response: Response, isRemoved: Bool) async throws {
    let fields = Self.window
    let fixture = CacheFixture { _, number throws(NetworkError) in
      number == 1 ? Response(status: .ok, headerFields: fields, bytes: [1]) : response
    }
    _ = try await fixture.send(.stated())
    fixture.clock.advance(by: .seconds(12))
    #expect(try await fixture.send(.stated()).exchange.cache == .hit(ttl: -2))
    await fixture.cache.refreshesEnded()
    #expect(fixture.store.count == (isRemoved ? 0 : 1))
    #expect(try await fixture.send(.stated()).exchange.cache?.isHit == !isRemoved)
    await fixture.cache.refreshesEnded()
  }

  @Test("A response wiped during a refresh stays wiped")
  func wiped() async throws {
    let gate = Gate(count: 2)
    let asked = WaitableValue(0)
    let fields = Self.window
    let fixture = CacheFixture { _, number throws(NetworkError) in
      asked.update { $0 = number }
      if number > 1 { await gate.arrive() }
      return Response(status: .ok, headerFields: fields)
    }
    _ = try await fixture.send(.stated(partition: "a"))
    fixture.clock.advance(by: .seconds(12))
    _ = try await fixture.send(.stated(partition: "a"))
    // The refresh has taken its mark once its request has reached the server.
    _ = try await asked.wait { $0 == 2 }
    await fixture.cache.wipe(partition: "a")
    await gate.arrive()
    await fixture.cache.refreshesEnded()
    #expect(fixture.store.count == 0)
  }

  @Test("A refresh from before a removal doesn't keep a newer response from being refreshed")
  func refreshedAgain() async throws {
    let gate = Gate(count: 2)
    let asked = WaitableValue(0)
    let fields = Self.window
    let fixture = CacheFixture { _, number throws(NetworkError) in
      asked.update { $0 = number }
      if number == 2 { await gate.arrive() }
      return Response(status: .ok, headerFields: fields)
    }
    _ = try await fixture.send(.stated())
    fixture.clock.advance(by: .seconds(12))
    _ = try await fixture.send(.stated())
    _ = try await asked.wait { $0 == 2 }
    await fixture.cache.removeAll()
    _ = try await fixture.send(.stated())
    fixture.clock.advance(by: .seconds(12))
    #expect(try await fixture.send(.stated()).exchange.cache?.isHit == true)
    _ = try await asked.wait { $0 == 4 }
    await gate.arrive()
    await fixture.cache.refreshesEnded()
    #expect(fixture.store.count == 1)
  }
}
