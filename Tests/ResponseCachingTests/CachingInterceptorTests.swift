import HTTPTypes
import Interception
import ResponseCaching
import SwitchyardTesting
import Synchronization
import Testing

@Suite struct CachingInterceptorTests {
  // MARK: Modes

  @Test("D1: Without a default rule nothing is cached; an API that enables caching gets 180 s in memory")
  func defaults() async throws {
    let fixture = CacheFixture()
    #expect(RequestContext().cacheRule == .inherited)
    for rule in [CacheRule.off, .inherited] {
      let response = try await fixture.send(.houses(rule: rule))
      #expect(response.exchange.cache == .forwarded(.bypass, stored: false))
    }
    #expect(fixture.store.count == 0)
    #expect(try await fixture.text(.houses(rule: .timed())) == "response 3")
    fixture.clock.advance(by: .seconds(179))
    #expect(try await fixture.text(.houses(rule: .timed())) == "response 3")
    fixture.clock.advance(by: .seconds(1))
    #expect(try await fixture.text(.houses(rule: .timed())) == "response 4")
  }

  struct ModeCase: Sendable, CustomTestStringConvertible {
    let mode: CacheRule.Mode
    let state: State
    let expected: Expectation
    enum State: String, Sendable { case nothing, fresh, stale }
    enum Expectation: Sendable, Equatable {
      case answer(String, Exchange.CacheStatus)
      case notStored
    }
    var testDescription: String { "\(mode), \(state.rawValue) stored" }
  }

  @Test(
    "Each mode handles no response, a fresh one and a stale one",
    arguments: [
      ModeCase(
        mode: .useFresh, state: .nothing, expected: .answer("response 1", .forwarded(.uriMiss, stored: true))),
      ModeCase(mode: .useFresh, state: .fresh, expected: .answer("response 1", .hit(ttl: 60))),
      ModeCase(
        mode: .useFresh, state: .stale, expected: .answer("response 2", .forwarded(.stale, stored: true))),
      ModeCase(
        mode: .reload, state: .nothing, expected: .answer("response 1", .forwarded(.request, stored: true))),
      ModeCase(
        mode: .reload, state: .fresh, expected: .answer("response 2", .forwarded(.request, stored: true))),
      ModeCase(
        mode: .reload, state: .stale, expected: .answer("response 2", .forwarded(.request, stored: true))),
      ModeCase(mode: .onlyStored, state: .nothing, expected: .notStored),
      ModeCase(mode: .onlyStored, state: .fresh, expected: .answer("response 1", .hit(ttl: 60))),
      ModeCase(mode: .onlyStored, state: .stale, expected: .answer("response 1", .hit(ttl: -10))),
    ])
  func modes(_ test: ModeCase) async throws {
    let fixture = CacheFixture()
    if test.state != .nothing { _ = try await fixture.send(.houses()) }
    if test.state == .stale { fixture.clock.advance(by: .seconds(70)) }
    let rule = CacheRule.timed(.seconds(60)).with(test.mode)
    switch test.expected {
    case .notStored:
      let error = await #expect(throws: NetworkError.self) { try await fixture.send(.houses(rule: rule)) }
      #expect(error?.kind == .notStored)
      #expect(error?.requestMayHaveBeenProcessed == false)
      #expect(error?.reason.contains("estate/houses.list") == true)
      #expect(fixture.server.requests.isEmpty)
    case .answer(let text, let status):
      let response = try await fixture.send(.houses(rule: rule))
      #expect(String(decoding: try await response.body.collect(upTo: 99), as: UTF8.self) == text)
      #expect(response.exchange.cache == status)
      #expect(response.exchange.attempts == (status.isHit ? 0 : response.exchange.attempts))
    }
  }

  @Test("In mode onlyStored nothing reaches the server, not even uncacheable requests")
  func onlyStoredNeverAsks() async {
    let fixture = CacheFixture()
    let requests: [Request] = [
      .houses(rule: .off.with(.onlyStored)),
      .houses(rule: .timed().with(.onlyStored), method: .put),
      .houses(rule: .timed().with(.onlyStored), fields: [.range: "bytes=0-1"]),
    ]
    for request in requests {
      let error = await #expect(throws: NetworkError.self) { try await fixture.send(request) }
      #expect(error?.kind == .notStored)
    }
    #expect(fixture.server.requests.isEmpty)
  }

  @Test("D5: A reload skips the lookup but stores the response")
  func reloadWrites() async throws {
    let fixture = CacheFixture()
    #expect(try await fixture.text(.houses()) == "response 1")
    #expect(try await fixture.text(.houses(rule: .timed(.seconds(60)).with(.reload))) == "response 2")
    #expect(try await fixture.text(.houses()) == "response 2")
    #expect(fixture.server.requests.count == 2)
    #expect(fixture.store.count == 1)
  }

  @Test(
    "Each hit has one Age field with its current age",
    arguments: [[:], [.age: "3"], [.age: "3", .eTag: "\"a\""]] as [HTTPFields])
  func ages(_ fields: HTTPFields) async throws {
    let fixture = CacheFixture(fields: fields)
    _ = try await fixture.send(.houses())
    let initial = fields[.age].flatMap { Int($0) } ?? 0
    for (advance, age) in [(0, 0), (0, 0), (2, 2), (0, 2), (1, 3), (0, 3), (20, 23)] {
      fixture.clock.advance(by: .seconds(advance))
      let head = try await fixture.send(.houses()).head
      #expect(head.headerFields[values: .age] == ["\(initial + age)"])
      #expect(head.headerFields.count == fields.count + (fields.contains(.age) ? 0 : 1))
    }
  }

  @Test("D8: A stored response needs no server, and is marked as a hit with its age")
  func hitIsFlagged() async throws {
    let fixture = CacheFixture { _, number throws(NetworkError) in
      guard number == 1 else { throw NetworkError(.offline, "There is no network.") }
      return Response(
        HTTPResponse(status: .ok, headerFields: [.contentType: "text/plain"]), body: .bytes([1, 2]),
        trailers: [.eTag: "late"], exchange: Exchange(attempts: 1, transport: TransportReport()))
    }
    _ = try await fixture.send(.houses())
    fixture.clock.advance(by: .seconds(6))
    let response = try await fixture.send(.houses())
    #expect(response.exchange == Exchange(attempts: 0, cache: .hit(ttl: 54), transport: nil))
    #expect(response.exchange.cache?.description == "hit; ttl=54")
    #expect(response.head.headerFields[.age] == "6")
    #expect(response.head.headerFields[.contentType] == "text/plain")
    #expect(response.trailers?[.eTag] == "late")
    fixture.clock.advance(by: .seconds(600))
    let stale = try await fixture.send(.houses(rule: .timed().with(.onlyStored)))
    #expect(stale.exchange.cache?.isHit == true)
    await #expect(throws: NetworkError.self) { try await fixture.send(.houses()) }
  }

  @Test("A cached response is reported to the pipeline's observers")
  func observed() async throws {
    let recorder = EventRecorder()
    let pipeline = try Pipeline(over: ScriptedDispatcher(), observers: [recorder]) { CachingInterceptor() }
    for _ in 1...2 { _ = try await pipeline.send(.houses()) }
    #expect(
      recorder.lines.filter { $0.hasPrefix("cache") } == ["cache fwd=uri-miss; stored", "cache hit; ttl=59"])
    #expect(recorder.lines.filter { $0 == "entered ScriptedDispatcher" }.count == 1)
  }

  // MARK: Time

  @Test("D6: A response is stale from the moment its lifetime ends")
  func boundary() async throws {
    let fixture = CacheFixture()
    _ = try await fixture.send(.houses())
    fixture.clock.advance(by: .seconds(60) - .nanoseconds(1))
    #expect(try await fixture.send(.houses()).exchange.cache == .hit(ttl: 0))
    fixture.clock.advance(by: .nanoseconds(1))
    #expect(try await fixture.send(.houses()).exchange.cache == .forwarded(.stale, stored: true))
  }

  @Test("D6: Setting the wall clock back makes a response stale, unless the steady clock compensates")
  func clockSetBack() async throws {
    let fixture = CacheFixture()
    _ = try await fixture.send(.houses())
    fixture.setWallClock(by: .seconds(-1))
    #expect(try await fixture.text(.houses()) == "response 2")
    fixture.clock.advance(by: .seconds(50))
    fixture.setWallClock(by: .seconds(-40))
    #expect(try await fixture.send(.houses()).exchange.cache == .hit(ttl: 10))
    fixture.clock.advance(by: .seconds(10))
    #expect(try await fixture.text(.houses()) == "response 3")
  }

  @Test("D6: Setting the wall clock forward makes a response stale")
  func clockSetForward() async throws {
    let fixture = CacheFixture()
    _ = try await fixture.send(.houses())
    fixture.setWallClock(by: .seconds(3_600))
    #expect(try await fixture.text(.houses()) == "response 2")
  }

  @Test("A shorter rule applies at once to responses stored under a longer one")
  func shorterRule() async throws {
    let fixture = CacheFixture()
    _ = try await fixture.send(.houses(rule: .timed(.seconds(600))))
    fixture.clock.advance(by: .seconds(20))
    #expect(try await fixture.send(.houses(rule: .timed(.seconds(30)))).exchange.cache == .hit(ttl: 10))
    #expect(try await fixture.text(.houses(rule: .timed(.seconds(10)))) == "response 2")
  }

  // MARK: What is stored

  @Test(
    "Responses that must not or can't be stored aren't",
    arguments: [
      (Response(status: .ok, headerFields: [.cacheControl: "private, No-Store"]), "no-store"),
      (Response(status: .ok, headerFields: [.vary: "Accept, *"]), "Vary: *"),
      (Response(status: .ok, headerFields: [.contentLength: "5"], bytes: [1]), "a byte is missing"),
      (Response(status: .partialContent, bytes: [1]), "206"),
      (Response(status: .notFound), "404 without a lifetime"),
      (Response(status: .internalServerError, headerFields: [.cacheControl: "max-age=60"]), "500"),
      (
        Response(
          HTTPResponse(status: .ok), body: .stream(BodyStream(length: 1, ScriptedByteSource([[1]])))),
        "stream"
      ),
    ])
  func unstorable(_ response: Response, _ why: String) async throws {
    let fixture = CacheFixture { _, _ throws(NetworkError) in response }
    #expect(try await fixture.send(.houses()).exchange.cache == .forwarded(.uriMiss, stored: false))
    #expect(fixture.store.count == 0)
  }

  @Test(
    "Some statuses are stored by the API's rule, others only with a stated lifetime",
    arguments: [(200, true), (203, true), (204, true), (301, true), (308, true), (410, true)]
      + [(300, false), (302, false), (307, false), (404, false), (405, false), (414, false), (501, false)])
  func statuses(_ code: Int, byRule: Bool) async throws {
    let status = HTTPResponse.Status(code: code)
    let plain = CacheFixture(status: status)
    #expect(try await plain.send(.houses()).exchange.cache == .forwarded(.uriMiss, stored: byRule))
    let stated = CacheFixture(fields: [.cacheControl: "max-age=9"], status: status)
    #expect(try await stated.send(.houses()).exchange.cache == .forwarded(.uriMiss, stored: true))
    #expect(try await stated.send(.houses()).exchange.cache == .hit(ttl: 9))
  }

  @Test(
    "Requests with no-store, a range or conditions bypass the cache",
    arguments: [
      [.cacheControl: "no-store"], [.range: "bytes=0-9"], [.ifNoneMatch: "\"a\""], [.ifModifiedSince: "x"],
      [.ifRange: "\"a\""], [.ifMatch: "\"a\""],
    ] as [HTTPFields])
  func bypassed(_ fields: HTTPFields) async throws {
    let fixture = CacheFixture()
    _ = try await fixture.send(.houses())
    #expect(
      try await fixture.send(.houses(fields: fields)).exchange.cache == .forwarded(.bypass, stored: false))
    #expect(try await fixture.text(.houses()) == "response 1")
  }

  @Test("A response with no-store to a reload removes the stored response")
  func noStoreRemoves() async throws {
    let fixture = CacheFixture { _, number throws(NetworkError) in
      Response(status: .ok, headerFields: number == 1 ? [:] : [.cacheControl: "no-store"])
    }
    _ = try await fixture.send(.houses())
    _ = try await fixture.send(.houses(rule: .timed().with(.reload)))
    #expect(fixture.store.count == 0)
  }

  @Test("no-cache and max-age in a request can reach the server despite a fresh response")
  func requestDirectives() async throws {
    let fixture = CacheFixture()
    _ = try await fixture.send(.houses())
    fixture.clock.advance(by: .seconds(10))
    #expect(
      try await fixture.send(.houses(fields: [.cacheControl: "max-age=10"])).exchange.cache?.isHit == true)
    #expect(
      try await fixture.send(.houses(fields: [.cacheControl: "max-age=9"])).exchange.cache
        == .forwarded(.request, stored: true))
    #expect(
      try await fixture.send(.houses(fields: [.cacheControl: "no-cache"])).exchange.cache
        == .forwarded(.request, stored: true))
  }

  @Test("A POST to a named API is cached by its body, unless the body is streamed")
  func declaredPost() async throws {
    let fixture = CacheFixture()
    func post(_ text: String, api: Bool = true) -> Request {
      .houses(
        method: .post, body: .text(text), api: api ? APIIdentity(service: "estate", name: "search") : nil)
    }
    #expect(try await fixture.text(post("a")) == "response 1")
    #expect(try await fixture.text(post("a")) == "response 1")
    #expect(try await fixture.text(post("b")) == "response 2")
    var streamed = post("")
    streamed.body = .once(length: nil, ScriptedByteSource([[1]]))
    #expect(try await fixture.send(streamed).exchange.cache == .forwarded(.bypass, stored: false))
    #expect(
      try await fixture.send(post("a", api: false)).exchange.cache == .forwarded(.method, stored: false))
  }

  // MARK: At once

  @Test("Concurrent reads, writes and removals respect the limits", .timeLimit(.minutes(5)))
  func hammered() async throws {
    let limits = MemoryStore.Limits(bytes: 64 << 10, responses: 40)
    let fixture = CacheFixture(limits: limits) { request, _ throws(NetworkError) in
      Response(status: .ok, bytes: Array((request.head.path ?? "").utf8))
    }
    await withTaskGroup(of: Int.self) { group in
      for task in 0..<8 {
        group.addTask {
          var wrong = 0
          for round in 0..<200 {
            let path = "/\((round * 7 + task * 3) % 60)"
            let text = try? await fixture.text(.houses(path, partition: "\(round % 3)"))
            if text != path { wrong += 1 }
            if round % 50 == task { await fixture.cache.wipe(partition: "1") }
          }
          return wrong
        }
      }
      for await wrong in group { #expect(wrong == 0) }
    }
    #expect(fixture.store.count <= 40)
    #expect(fixture.store.bytes <= 64 << 10)
    await fixture.cache.removeAll()
    #expect(fixture.store.count == 0)
    #expect(fixture.store.bytes == 0)
  }
}

/// Blocks tasks until a given number has arrived.
actor Gate {
  private var missing: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(count: Int) { missing = count }

  func arrive() async {
    missing -= 1
    guard missing > 0 else {
      for waiter in waiting { waiter.resume() }
      waiting = []
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }
}
