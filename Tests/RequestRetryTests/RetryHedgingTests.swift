import HTTPTypes
import Interception
import RequestRetry
import SwitchyardTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RetryHedgingTests {
  @Test("A read that takes unusually long is sent again, and the first attempt is cancelled and awaited")
  func overtaking() async throws {
    let nonces = Mutex(0)
    let signing = InlineInterceptor("Signing", stage: .signing) { request, next in
      var request = request
      request.head.headerFields[.userAgent] = nonces.withLock { nonces in
        nonces += 1
        return "nonce \(nonces)"
      }
      return try await next.dispatch(request)
    }
    let fixture = try HedgingFixture(adding: [signing]) { attempts, number throws(NetworkError) in
      if number == 1 { try await attempts.wait() }
      return Response(status: .ok, bytes: [UInt8(number)])
    }
    try await fixture.teach()
    let task = fixture.start()
    try await fixture.attempts.clock.waitForSleepers(2)
    fixture.attempts.clock.advance(by: .milliseconds(99))
    #expect(fixture.sent.map(\.attempt) == [1])
    fixture.attempts.clock.advance(by: .milliseconds(4))
    let response = try await task.value
    #expect(try await response.body.collect(upTo: 1) == [2])
    #expect(fixture.attempts.cancelled == 1)
    #expect(fixture.sent.map(\.attempt) == [1, 2])
    #expect(fixture.sent.map { $0.head.headerFields[.userAgent] } == ["nonce 21", "nonce 22"])
    #expect(response.exchange.attempts == 2)
    #expect(response.exchange.retryRefusal == nil)
    let trace = try #require(fixture.recorder.traces.last)
    #expect(trace.steps.filter { $0.name == "Signing" }.map(\.attempt) == [1, 2])
    #expect(trace.steps.allSatisfy { $0.total != nil })
  }

  @Test("The first attempt can still win; the hedge is cancelled, and counted as an attempt")
  func firstWins() async throws {
    let fixture = try HedgingFixture { attempts, number throws(NetworkError) in
      try await attempts.wait(number == 1 ? .milliseconds(200) : .seconds(1_000))
      return Response(status: .ok, bytes: [UInt8(number)])
    }
    try await fixture.teach()
    let task = fixture.start()
    try await fixture.elapse()
    try await fixture.elapse()
    let response = try await task.value
    #expect(try await response.body.collect(upTo: 1) == [1])
    #expect(response.exchange.attempts == 2)
    #expect(fixture.attempts.cancelled == 1)
  }

  @Test("An attempt that fails leaves the result to the other one", arguments: [1, 2])
  func oneFails(_ failing: Int) async throws {
    let fixture = try HedgingFixture { attempts, number throws(NetworkError) in
      // The one that fails does so first.
      try await attempts.wait(number == failing ? .milliseconds(150) : .milliseconds(300))
      if number == failing { throw .lost }
      return Response(status: .ok, bytes: [UInt8(number)])
    }
    try await fixture.teach()
    let task = fixture.start()
    try await fixture.elapse()
    try await fixture.attempts.clock.waitForSleepers(2)
    fixture.attempts.clock.advance(by: .milliseconds(160))
    try await fixture.attempts.clock.waitForSleepers(1)
    fixture.attempts.clock.advance(by: .milliseconds(160))
    #expect(try await task.value.body.collect(upTo: 1) == [UInt8(3 - failing)])
    #expect(fixture.sent.count == 2)
    #expect(fixture.attempts.cancelled == 0)
  }

  @Test("If both attempts fail, the last failure counts, and the third attempt is a retry")
  func bothFail() async throws {
    let fixture = try HedgingFixture { attempts, number throws(NetworkError) in
      switch number {
      case 1:
        try await attempts.wait(.milliseconds(200))
        throw .lost
      case 2:
        try await attempts.wait(.milliseconds(300))
        throw .refused
      default: return Response(status: .badGateway)
      }
    }
    try await fixture.teach()
    let task = fixture.start()
    try await fixture.elapse()
    try await fixture.elapse()
    try await fixture.attempts.clock.waitForSleepers(1)
    fixture.attempts.clock.advance(by: .milliseconds(300))
    let response = try await task.value
    #expect(response.status == .badGateway)
    #expect(response.exchange.retryRefusal == .noAttemptsLeft)
    #expect(fixture.sent.map(\.attempt) == [1, 2, 3])

    let limited = try HedgingFixture(policy: RetryPolicy(attemptLimit: 2)) {
      attempts, number throws(NetworkError) in
      try await attempts.wait(number == 1 ? .milliseconds(200) : .milliseconds(300))
      throw number == 1 ? NetworkError.lost : .refused
    }
    try await limited.teach()
    let failing = limited.start()
    try await limited.elapse()
    try await limited.elapse()
    try await limited.attempts.clock.waitForSleepers(1)
    limited.attempts.clock.advance(by: .milliseconds(300))
    let error = try #require(await #expect(throws: NetworkError.self) { try await failing.value })
    // Only the first attempt may have been processed.
    #expect(error.requestMayHaveBeenProcessed)
    #expect(error.retryRefusal == .noAttemptsLeft)
    #expect(limited.sent.count == 2)
  }

  @Test("A slow server gets only its share of hedges")
  func budget() async throws {
    let fixture = try HedgingFixture { attempts, number throws(NetworkError) in
      if number == 1 { try await attempts.wait() }
      if number > 2 { try await attempts.wait(.seconds(10)) }
      return Response(status: .ok)
    }
    try await fixture.teach()
    let first = fixture.start()
    try await fixture.elapse()
    _ = try await first.value
    let second = fixture.start()
    try await fixture.elapse(sleepers: 1)
    fixture.attempts.clock.advance(by: .seconds(10))
    #expect(try await second.value.exchange.attempts == 1)
    #expect(fixture.sent.map(\.attempt) == [1, 2, 1])
  }

  @Test("An origin whose retry budget is spent, or whose circuit breaker is open, gets no hedge")
  func failingOrigin() async throws {
    let spent = try HedgingFixture(budget: RetryBudget(capacity: 0)) {
      attempts, _ throws(NetworkError) in
      try await attempts.wait(.seconds(10))
      return Response(status: .ok)
    }
    try await spent.teach()
    let task = spent.start()
    try await spent.elapse()
    try await spent.attempts.clock.waitForSleepers(1)
    spent.attempts.clock.advance(by: .seconds(10))
    #expect(try await task.value.exchange.attempts == 1)

    let open = try HedgingFixture(circuitBreaker: CircuitBreaker(failureLimit: 1)) {
      attempts, number throws(NetworkError) in
      guard number == 1 else { return Response(status: .serviceUnavailable) }
      try await attempts.wait(.seconds(10))
      return Response(status: .ok)
    }
    try await open.teach()
    let slow = open.start()
    try await open.attempts.clock.waitForSleepers(2)
    _ = try await open.start { $0.head.method = .post }.value
    try await open.elapse()
    try await open.attempts.clock.waitForSleepers(1)
    open.attempts.clock.advance(by: .seconds(10))
    #expect(try await slow.value.exchange.attempts == 1)
    #expect(open.sent.map(\.attempt) == [1, 1])
  }

  @Test("A request that is sent at most once is not hedged")
  func never() async throws {
    let fixture = try HedgingFixture { attempts, _ throws(NetworkError) in
      try await attempts.wait(.seconds(10))
      return Response(status: .ok)
    }
    try await fixture.teach()
    let task = fixture.start { $0.context.retryPolicy = .never }
    try await fixture.elapse(sleepers: 1)
    fixture.attempts.clock.advance(by: .seconds(10))
    #expect(try await task.value.exchange.attempts == 1)
  }

  @Test("The time limit of the call covers both attempts")
  func callLimit() async throws {
    let fixture = try HedgingFixture { attempts, _ throws(NetworkError) in
      try await attempts.wait()
      return Response(status: .ok)
    }
    try await fixture.teach()
    let task = fixture.start { $0.options.timeouts.call = .seconds(5) }
    try await fixture.elapse(sleepers: 3)
    try await fixture.attempts.clock.waitForSleepers(3)
    #expect(
      fixture.sent.map(\.options.timeouts.call) == [.seconds(5), .seconds(5) - HedgingFixture.delay])
    fixture.attempts.clock.advance(by: .seconds(5))
    let error = try #require(await #expect(throws: NetworkError.self) { try await task.value })
    #expect(error.kind == .timeout(.call))
    #expect(error.requestMayHaveBeenProcessed)
    #expect(fixture.attempts.cancelled == 2)
  }

  @Test("Cancelling the caller's task cancels both attempts")
  func cancellation() async throws {
    let fixture = try HedgingFixture { attempts, _ throws(NetworkError) in
      try await attempts.wait()
      return Response(status: .ok)
    }
    try await fixture.teach()
    let task = fixture.start()
    try await fixture.elapse()
    try await fixture.attempts.clock.waitForSleepers(2)
    task.cancel()
    let error = try #require(await #expect(throws: NetworkError.self) { try await task.value })
    #expect(error.kind == .cancelled(.task))
    #expect(fixture.attempts.cancelled == 2)
    #expect(fixture.sent.count == 2)
  }

  @Test("The winner's stream can be read after the other attempt is cancelled, and releasing it cancels it")
  func streams() async throws {
    let late = ScriptedByteSource([[9]])
    let sources = [ScriptedByteSource([[1], [2]]), ScriptedByteSource([[3]])]
    let fixture = try HedgingFixture(share: 0.2) { attempts, number throws(NetworkError) in
      if number % 2 == 1 {
        // An attempt that responds although it was cancelled.
        do { try await attempts.wait() } catch {}
        return Response(HTTPResponse(status: .ok), body: .stream(BodyStream(length: 1, late)))
      }
      return Response(
        HTTPResponse(status: .ok), body: .stream(BodyStream(length: nil, sources[number / 2 - 1])))
    }
    try await fixture.teach { $0.options.delivery = .streamed }
    let read = fixture.start { $0.options.delivery = .streamed }
    try await fixture.elapse()
    #expect(try await read.value.body.collect(upTo: 9) == [1, 2])
    #expect(late.isCancelled)
    #expect(late.reads == 0)

    try await release(fixture, sources[1])
    // The task may release the response a moment after its value was read.
    try await waitUntil("the released stream is cancelled") { sources[1].isCancelled }
  }

  // A function of its own, so that the task and its response are released.
  private func release(_ fixture: HedgingFixture, _ source: ScriptedByteSource) async throws {
    let task = fixture.start { $0.options.delivery = .streamed }
    try await fixture.elapse()
    let response = try await task.value
    #expect(!source.isCancelled)
    withExtendedLifetime(response) {}
  }

  @Test("Responses from a cache don't count as latencies")
  func cached() async throws {
    let isCached = Mutex(true)
    let caching = InlineInterceptor("Caching", stage: .caching) { request, next in
      guard isCached.withLock({ $0 }) else { return try await next.dispatch(request) }
      var response = Response(status: .ok)
      response.exchange.cache = .hit(ttl: 60)
      return response
    }
    let fixture = try HedgingFixture(share: 0.5, adding: [caching]) {
      _, _ throws(NetworkError) in Response(status: .ok)
    }
    for _ in 1...3 { try await fixture.teach() }
    isCached.withLock { $0 = false }
    // Were the 60 responses counted, the delay would be known, and the clock would have a sleeper.
    try await fixture.teach()
    #expect(fixture.server.requests.count == 20)
    #expect(fixture.server.requests.allSatisfy { $0.attempt == 1 })
  }

  @Test("The laws of interceptors are kept with hedging")
  func laws() async throws {
    let retry = RetryInterceptor(
      hedging: HedgingPolicy(share: 0.5, sampleMinimum: 1), time: TimeSource(SkippingClock()))
    let report = await checkInterceptorLaws(retry)
    try report.check()
    #expect(Array(report.unproven.keys) == [.callsNextAsDeclared])
  }
}
