import HTTPTypes
import Interception
import RequestRetry
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RetryInterceptorTests {
  @Test(
    "H3: A failed GET is retried with jitter, within a budget and one time limit; Retry-After is obeyed or refused"
  )
  func retry() async throws {
    // Jitter: the waits are random parts of limits that double.
    let policy = RetryPolicy(attemptLimit: 4)
    var sequences: Set<[Duration]> = []
    for seed in 1...5 {
      let fixture = RetryFixture(policy, random: SeededRandom(seed: UInt64(seed))) {
        _, number throws(NetworkError) in
        if number == 1 { throw .lost }
        return Response(status: number < 4 ? .serviceUnavailable : .ok)
      }
      #expect(try await fixture.send().status == .ok)
      #expect(fixture.server.requests.map(\.attempt) == [1, 2, 3, 4])
      #expect(Set(fixture.server.requests.map(\.id)).count == 1)
      let limits: [Duration] = [.milliseconds(200), .milliseconds(400), .milliseconds(800)]
      #expect(fixture.clock.sleeps.count == 3)
      #expect(zip(fixture.clock.sleeps, limits).allSatisfy { $0 >= .zero && $0 < $1 })
      sequences.insert(fixture.clock.sleeps)
    }
    #expect(sequences.count == 5)

    // Budget: the origin's tokens are spent, and the next failure is passed on.
    let down = RetryFixture(policy, budget: RetryBudget(capacity: 4)) { _, _ throws(NetworkError) in
      throw .refused
    }
    for _ in 1...3 { await #expect(throws: NetworkError.self) { try await down.send() } }
    #expect(down.server.requests.map(\.attempt) == [1, 2, 3, 4, 1, 2, 1])

    // Time limit: a wait that would exceed what is left of the call is not begun.
    let slow = RetryFixture(policy, random: ConstantRandom.highest) { _, _ in
      Response(status: .badGateway)
    }
    let response = try await slow.send { $0.options.timeouts.call = .milliseconds(500) }
    #expect(response.status == .badGateway)
    #expect(slow.server.requests.map(\.attempt) == [1, 2])
    #expect(slow.server.requests.last?.options.timeouts.call.map { $0 <= .milliseconds(301) } == true)

    // Retry-After: obeyed up to a minute.
    let asking = RetryFixture(policy) { _, number throws(NetworkError) in
      Response(status: .tooManyRequests, headerFields: [.retryAfter: number == 1 ? "60" : "61"])
    }
    #expect(try await asking.send().status == .tooManyRequests)
    #expect(asking.server.requests.count == 2)
    #expect(asking.clock.sleeps == [.seconds(60)])
  }

  @Test("The caller gets the last attempt's response or error")
  func lastOutcome() async throws {
    let responding = RetryFixture { _, number in
      Response(status: .badGateway, bytes: [UInt8(number)])
    }
    #expect(try await responding.send().body.collect(upTo: 9) == [3])
    let failing = RetryFixture { _, number throws(NetworkError) in
      throw NetworkError(.transport, "Failure \(number).", requestMayHaveBeenProcessed: true)
    }
    let error = await #expect(throws: NetworkError.self) { try await failing.send() }
    #expect(error?.reason == "Failure 3.")
  }

  @Test("The last error reports that the server may have processed an earlier attempt")
  func processedEarlier() async throws {
    let fixture = RetryFixture { _, number throws(NetworkError) in
      if number == 1 { return Response(status: .serviceUnavailable) }
      throw .refused
    }
    let error = await #expect(throws: NetworkError.self) { try await fixture.send() }
    #expect(error?.kind == .connect)
    #expect(error?.requestMayHaveBeenProcessed == true)
  }

  @Test(
    "I4: An unsafe request is retried only if it was not processed, or if it is declared idempotent",
    arguments: [HTTPRequest.Method.post, .patch])
  func unsafe(_ method: HTTPRequest.Method) async throws {
    let lost = RetryFixture { _, number throws(NetworkError) in
      if number == 1 { throw .lost }
      return Response(status: .created)
    }
    let error = await #expect(throws: NetworkError.self) { try await lost.send(method) }
    #expect(error?.kind == .transport)
    #expect(lost.server.requests.count == 1)

    let refused = RetryFixture { _, number throws(NetworkError) in
      if number == 1 { throw .refused }
      return Response(status: .created)
    }
    #expect(try await refused.send(method, body: .text("kept")).status == .created)
    #expect(refused.server.requests.map(\.body.bytes) == [Array("kept".utf8), Array("kept".utf8)])

    let unavailable = RetryFixture { request, _ in
      Response(status: request.attempt == 1 ? .serviceUnavailable : .created)
    }
    #expect(try await unavailable.send(method).status == .serviceUnavailable)
    let key = try #require(HTTPField.Name("idempotency-key"))
    #expect(try await unavailable.send(method, fields: [key: "\"8e03978e\""]).status == .created)
    #expect(try await unavailable.send(method) { $0.context.isIdempotent = true }.status == .created)
  }

  @Test("A QUERY is retried with its body, because it is idempotent")
  func query() async throws {
    let fixture = RetryFixture { _, number throws(NetworkError) in
      if number == 1 { throw .lost }
      return Response(status: .ok)
    }
    let method = try #require(HTTPRequest.Method(rawValue: "QUERY"))
    #expect(try await fixture.send(method, body: .text("city = Lisbon")).status == .ok)
    let bytes = Array("city = Lisbon".utf8)
    #expect(fixture.server.requests.map(\.body.bytes) == [bytes, bytes])
  }

  @Test("A GET that is declared not to be idempotent is not retried")
  func unsafeGet() async throws {
    let fixture = RetryFixture { _, _ in Response(status: .serviceUnavailable) }
    _ = try await fixture.send { $0.context.isIdempotent = false }
    #expect(fixture.server.requests.count == 1)
  }

  @Test("A request that is never retried must not be sent again by the dispatcher either")
  func sentOnce() async throws {
    let fixture = RetryFixture { _, _ in Response(status: .ok) }
    _ = try await fixture.send()
    _ = try await fixture.send { $0.context.retryPolicy = RetryPolicy() }
    _ = try await fixture.send { $0.context.retryPolicy = .never }
    _ = try await fixture.send { $0.context.isIdempotent = false }
    _ = try await fixture.send {
      $0.context.retryPolicy = .never
      $0.context.retryPolicy = nil
    }
    #expect(fixture.server.requests.map { $0.permits(.resending) } == [true, true, false, false, true])
  }

  @Test("A body that can be read only once is not sent again, and the error says so")
  func spentBody() async throws {
    let failure = NetworkError(
      .connect, "The connection was refused.", origin: .dispatcher("Scripted"), attempt: 1)
    let fixture = RetryFixture { _, _ throws(NetworkError) in throw failure }
    let body = RequestBody.once(length: 1, ScriptedByteSource([[1]]))
    let error = try #require(
      await #expect(throws: NetworkError.self) { try await fixture.send(.put, body: body) })
    #expect(fixture.server.requests.count == 1)
    #expect(error.kind == .connect)
    #expect(error.origin == .dispatcher("Scripted"))
    #expect(!error.requestMayHaveBeenProcessed)
    #expect(error.reason.hasPrefix(failure.reason))
    #expect(error.reason.contains("not retried, because its body can be read only once"))
    // An error that would not be retried anyway does not mention the body.
    let certificate = RetryFixture { _, _ throws(NetworkError) in
      throw NetworkError(.tls(.expired), "The certificate is expired.")
    }
    let other = await #expect(throws: NetworkError.self) {
      try await certificate.send(.put, body: .once(length: 1, ScriptedByteSource([[1]])))
    }
    #expect(other?.reason == "The certificate is expired.")
  }

  @Test("A response that is given up is released before the wait", .timeLimit(.minutes(5)))
  func released() async throws {
    let clock = TestClock()
    let source = ScriptedByteSource([[1]])
    // The script must not retain the stream that it returns.
    let server = ScriptedDispatcher { _, number throws(NetworkError) in
      guard number == 1 else { return Response(status: .ok) }
      return Response(
        HTTPResponse(status: .serviceUnavailable, headerFields: [.retryAfter: "7"]),
        body: .stream(BodyStream(length: 1, source)))
    }
    let pipeline = try Pipeline(over: server) {
      RetryInterceptor(time: TimeSource(clock), random: ConstantRandom.lowest)
    }
    let task = Task { try await pipeline.send(Request(authority: "estate.example", path: "/")) }
    try await clock.waitForSleepers()
    #expect(source.isCancelled)
    #expect(server.requests.count == 1)
    clock.advance(by: .seconds(7))
    #expect(try await task.value.status == .ok)
  }

  @Test("Context values of an attempt are removed before the next one, others are kept")
  func contextValues() async throws {
    enum Kept: ContextKey { static let defaultValue = "" }
    let fixture = RetryFixture { _, _ in Response(status: .badGateway) }
    _ = try await fixture.send {
      $0.context[Kept.self] = "kept"
      $0.context.connectTarget = ConnectTarget(address: "192.0.2.1")
    }
    #expect(fixture.server.requests.map { $0.context[Kept.self] } == ["kept", "kept", "kept"])
    #expect(fixture.server.requests.map { $0.context.connectTarget == nil } == [false, true, true])
  }

  @Test("A request's own policy replaces the interceptor's")
  func ownPolicy() async throws {
    let fixture = RetryFixture { _, _ in Response(status: .serviceUnavailable) }
    _ = try await fixture.send { $0.context.retryPolicy = .never }
    #expect(fixture.server.requests.count == 1)
    _ = try await fixture.send { $0.context.retryPolicy = RetryPolicy(attemptLimit: 5) }
    #expect(fixture.server.requests.count == 6)
  }

  @Test("Attempts are numbered from the attempt that the interceptor received")
  func numbering() async throws {
    let fixture = RetryFixture { _, _ in Response(status: .badGateway) }
    _ = try await fixture.chain.dispatch(Request(authority: "estate.example", path: "/").asAttempt(4))
    #expect(fixture.server.requests.map(\.attempt) == [4, 5, 6])
  }

  @Test("The events of a pipeline show every attempt")
  func events() async throws {
    let recorder = TraceRecorder()
    let server = ScriptedDispatcher { _, number in
      Response(status: number == 3 ? .ok : .serviceUnavailable)
    }
    let pipeline = try Pipeline(over: server, observers: [recorder]) {
      RetryInterceptor(time: TimeSource(SkippingClock()))
    }
    let request = Request(authority: "estate.example", path: "/")
    #expect(try await pipeline.send(request).exchange.attempts == 3)
    let trace = try #require(recorder.trace(of: request.id))
    #expect(trace.steps.map(\.attempt) == [1, 1, 2, 3])
  }

  @Test("The laws of interceptors are kept")
  func laws() async throws {
    let report = await checkInterceptorLaws(RetryInterceptor(time: TimeSource(SkippingClock())))
    try report.check()
    #expect(Array(report.unproven.keys) == [.callsNextAsDeclared])
  }
}
