import HTTPTypes
import RequestRetry
import ResponseCaching
import SwitchyardTesting
import Testing

@testable import Inspection
@testable import Interception

@Suite(.timeLimit(.minutes(5))) struct InterventionInterceptorTests {
  private let clock = TestClock()
  private let dispatcher = ScriptedDispatcher { request, number throws(NetworkError) in
    Response(
      status: .ok, headerFields: [.cacheControl: "max-age=60"],
      bytes: Array("\(number) \(request.head.path ?? "")".utf8))
  }

  private func interceptor(
    _ rules: InterventionRules, editor: (any InterventionEditor)? = nil, stage: Stage = .interventions,
    limits: InterventionInterceptor.PauseLimits = .init()
  ) throws -> InterventionInterceptor {
    try InterventionInterceptor(
      rules, permission: .debugBuildsOnly, editor: editor, stage: stage, limits: limits,
      time: TimeSource(clock))
  }

  private func pipeline(_ interceptors: any Interceptor...) throws -> Pipeline {
    try Pipeline(over: dispatcher, time: TimeSource(clock)) {
      for interceptor in interceptors { interceptor }
    }
  }

  private static let request = Request(authority: "a.test", path: "/homes")

  @Test("The interceptor keeps the laws of interceptors, with rules and without")
  func laws() async throws {
    let idle = try interceptor([])
    let plain = await checkInterceptorLaws(idle)
    try plain.check()
    let rule = InterventionRule("Fast", .network(.init(name: "fast", loss: 0)))
    let active = try interceptor([rule])
    let altering = await checkInterceptorLaws(active)
    try altering.check()
  }

  @Test("Without a matching rule nothing is changed")
  func unaltered() async throws {
    let pipeline = try pipeline(
      interceptor([
        InterventionRule("Off", isOn: false, .fail(.offline)),
        InterventionRule("Other", matching: .init(host: "b.test"), .fail(.offline)),
      ]))
    let response = try await pipeline.send(Self.request)
    #expect(response.head.headerFields == [.cacheControl: "max-age=60"])
    #expect(response.body.text == "1 /homes")
  }

  @Test("A matching request is answered by the rule, marked, and not sent")
  func answer() async throws {
    let pipeline = try pipeline(interceptor([InterventionRule("No homes", .answer(.init(json: "[]")))]))
    let response = try await pipeline.send(Self.request)
    #expect(response.status == .ok)
    #expect(response.body.text == "[]")
    #expect(
      response.head.headerFields == [
        .contentType: "application/json", .cacheControl: "no-store", .alteredBy: "No homes",
      ])
    #expect(dispatcher.requests.isEmpty)
    let head = try await pipeline.send(Request(method: .head, authority: "a.test", path: "/"))
    #expect(head.body.text == "")
  }

  @Test(
    "A failure has the rule's kind and names the rule",
    arguments: NetworkError.Kind.ofInterventions.map(\.kind))
  func failure(_ kind: NetworkError.Kind) async throws {
    let pipeline = try pipeline(interceptor([InterventionRule("Broken", .fail(kind))]))
    let error = try await #require(throws: NetworkError.self) { try await pipeline.send(Self.request) }
    #expect(error.kind == kind)
    #expect(error.origin == .interceptor("InterventionInterceptor"))
    #expect(error.reason.contains("\"Broken\""))
    #expect(dispatcher.requests.isEmpty)
  }

  @Test("A rule for one request fails the first attempt, and the retry reaches the server")
  func times() async throws {
    let interceptor = try interceptor([InterventionRule("Once", times: 1, .fail(.connect))])
    let pipeline = try pipeline(
      RetryInterceptor(RetryPolicy(attemptLimit: 2), time: TimeSource(clock)), interceptor)
    async let response = pipeline.send(Self.request)
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(60))
    #expect(try await response.body.text == "1 /homes")
    #expect(try await response.exchange.attempts == 2)
    // Setting the rules counts anew.
    interceptor.rules = interceptor.rules
    let failing = try self.pipeline(interceptor)
    await #expect(throws: NetworkError.self) { try await failing.send(Self.request) }
    #expect(try await failing.send(Self.request).status == .ok)
  }

  @Test("Rules apply in their order: a delay makes the answer after it late, and not one before it")
  func order() async throws {
    let delay = InterventionRule("Late", .delay(.seconds(5)))
    let answer = InterventionRule("Mine", .answer(.init(json: "1")))
    let prompt = try pipeline(interceptor([answer, delay]))
    #expect(try await prompt.send(Self.request).body.text == "1")
    let late = try pipeline(interceptor([delay, answer]))
    async let response = late.send(Self.request)
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(5))
    #expect(try await response.body.text == "1")
    #expect(clock.now.offset == .seconds(5))
  }

  @Test("A delayed call ends with its deadline, and with its cancellation")
  func deadline() async throws {
    let pipeline = try pipeline(interceptor([InterventionRule("Late", .delay(.seconds(15)))]))
    var request = Self.request
    request.options.timeouts.call = .seconds(2)
    let limited = Task { [request] in try await pipeline.send(request) }
    try await clock.waitForSleepers(2)
    clock.advance(by: .seconds(2))
    let error = await #expect(throws: NetworkError.self) { try await limited.value }
    #expect(error?.kind == .timeout(.call))
    let task = Task { try await pipeline.send(Self.request) }
    try await clock.waitForSleepers()
    task.cancel()
    let cancelled = await #expect(throws: NetworkError.self) { try await task.value }
    #expect(cancelled?.kind == .cancelled(.task))
    #expect(dispatcher.requests.isEmpty)
  }

  @Test(
    "An altered response isn't kept by the app's cache, unless the rule permits it", arguments: [false, true])
  func caching(_ isStorable: Bool) async throws {
    let interceptor = try interceptor([
      InterventionRule(
        "Mine", times: 1,
        .answer(.init(headerFields: [.cacheControl: "max-age=60"], body: [0x31], isStorable: isStorable)))
    ])
    // The rule by which an app caches whatever the response says.
    for rule in [CacheRule.timed(.seconds(60)), .stated()] {
      interceptor.rules = interceptor.rules
      let sent = dispatcher.requests.count
      let pipeline = try pipeline(CachingInterceptor(defaultRule: rule, time: TimeSource(clock)), interceptor)
      #expect(try await pipeline.send(Self.request).body.text == "1")
      let second = try await pipeline.send(Self.request)
      #expect((second.body.text == "1") == isStorable)
      #expect(dispatcher.requests.count == sent + (isStorable ? 0 : 1))
      // What the server answers is cached as ever.
      _ = try await pipeline.send(Self.request)
      #expect(dispatcher.requests.count == sent + (isStorable ? 0 : 1))
    }
  }

  @Test("Further out than the cache, a stored response is altered, too")
  func stage() async throws {
    let cache = CachingInterceptor(defaultRule: .timed(.seconds(60)), time: TimeSource(clock))
    let interceptor = try interceptor([], stage: Stage(rank: 340, name: "interventions"))
    let pipeline = try pipeline(interceptor, cache)
    _ = try await pipeline.send(Self.request)
    interceptor.rules = [InterventionRule("Mine", times: 1, .answer(.init(body: [0x32])))]
    #expect(try await pipeline.send(Self.request).body.text == "2")
    #expect(try await pipeline.send(Self.request).body.text == "1 /homes")
    #expect(dispatcher.requests.count == 1)
  }

  @Test("A request that asks for another protocol is not altered")
  func upgrade() async throws {
    let pipeline = try pipeline(interceptor([InterventionRule("Broken", .fail(.offline))]))
    var request = Self.request
    request.context.upgrade = "websocket"
    #expect(try await pipeline.send(request).status == .ok)
  }

  // MARK: Networks

  @Test("A slow network takes the time of its latency and of both bodies")
  func slowNetwork() async throws {
    let network = InterventionRule.Network(
      latency: .seconds(1), sentBytesPerSecond: 10, receivedBytesPerSecond: 4)
    let pipeline = try pipeline(interceptor([InterventionRule("Slow", .network(network))]))
    let request = Request(method: .post, authority: "a.test", path: "/homes", body: .text("12345"))
    async let response = pipeline.send(request)
    try await clock.waitForSleepers()
    #expect(dispatcher.requests.isEmpty)
    clock.advance(by: .milliseconds(1_500))
    try await clock.waitForSleepers()
    #expect(dispatcher.requests.count == 1)
    // 8 bytes.
    clock.advance(by: .seconds(2))
    #expect(try await response.body.text == "1 /homes")
    // It is the server's, so it is not marked.
    #expect(try await response.head.headerFields == [.cacheControl: "max-age=60"])
  }

  @Test("A stream arrives as slowly as the network")
  func slowStream() async throws {
    let stream = BodyStream(length: nil, ScriptedByteSource([[1, 2], [3, 4, 5, 6]]))
    let streaming = ScriptedDispatcher(
      answering: Response(HTTPResponse(status: .ok), body: .stream(stream)))
    let rule = InterventionRule("Slow", .network(.init(receivedBytesPerSecond: 1)))
    let pipeline = try Pipeline(over: streaming) { try interceptor([rule]) }
    let response = try await pipeline.send(Self.request)
    async let bytes = response.body.collect(upTo: 10)
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(2))
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(4))
    #expect(try await bytes == [1, 2, 3, 4, 5, 6])
  }

  @Test("Without a network every request fails, and a cached response is still found")
  func offline() async throws {
    let interceptor = try interceptor([])
    let pipeline = try pipeline(
      CachingInterceptor(defaultRule: .timed(.seconds(60)), time: TimeSource(clock)), interceptor)
    _ = try await pipeline.send(Self.request)
    interceptor.rules = [InterventionRule("Tunnel", .network(.offline))]
    #expect(try await pipeline.send(Self.request).exchange.cache?.isHit == true)
    let error = await #expect(throws: NetworkError.self) {
      try await pipeline.send(Request(authority: "a.test", path: "/other"))
    }
    #expect(error?.kind == .offline)
  }

  @Test("The same seed loses the same requests, and about the share that the network states")
  func loss() async throws {
    func losses(_ seed: UInt64) async throws -> [Bool] {
      let network = InterventionRule.Network(loss: 0.2, seed: seed)
      let pipeline = try pipeline(interceptor([InterventionRule("Lossy", .network(network))]))
      var losses: [Bool] = []
      for _ in 0..<200 {
        do {
          _ = try await pipeline.send(Self.request)
          losses.append(false)
        } catch {
          #expect(error.kind == .transport)
          #expect(error.requestMayHaveBeenProcessed)
          losses.append(true)
        }
      }
      return losses
    }
    let first = try await losses(1)
    #expect(try await losses(1) == first)
    #expect(try await losses(2) != first)
    #expect((25...55).contains(first.count { $0 }))
  }

  @Test(
    "A simulated wait ends with the first limit that a real one would exceed",
    arguments: [
      (1.0, 2.0, RequestOptions.Timeouts(), 3.0, NetworkError.Phase?.none), (1, 30, .init(), 21, .idle),
      (1, 30, .init(firstByte: .seconds(5)), 6, .firstByte), (100, 0, .init(), 100, nil),
      (8, 30, .init(firstByte: .seconds(5), whole: .seconds(9)), 9, .whole),
      (0, 30, .init(idle: nil), 30, nil),
    ])
  func limits(
    _ transfer: Double, _ silence: Double, _ timeouts: RequestOptions.Timeouts, _ waited: Double,
    _ expired: NetworkError.Phase?
  ) {
    var time = SimulatedTime(timeouts: timeouts)
    let wait = time.add(transfer: .seconds(transfer), silence: .seconds(silence))
    #expect(wait == SimulatedTime.Wait(duration: .seconds(waited), expired: expired))
    #expect(time.elapsed == .seconds(waited))
  }

  @Test("A simulated wait counts what earlier ones have taken of the whole limit")
  func elapsed() {
    var time = SimulatedTime(timeouts: .init(whole: .seconds(5)))
    #expect(time.add(silence: .seconds(3)).expired == nil)
    #expect(time.add(transfer: .seconds(3)) == .init(duration: .seconds(2), expired: .whole))
  }
}

extension ResponseBody {
  /// A body in memory as a text.
  var text: String? {
    if case .bytes(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
  }
}
