import HTTPTypes
import Interception
import RequestRetry
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RetryRefusalTests {
  @Test("A response that is not retried says why")
  func responses() async throws {
    let fixture = RetryFixture(RetryPolicy(attemptLimit: 2), budget: RetryBudget(capacity: 1)) { request, _ in
      var fields: HTTPFields = [:]
      if request.head.method == .put { fields[.retryAfter] = "61" }
      return Response(status: .serviceUnavailable, headerFields: fields)
    }
    func refusal(
      _ method: HTTPRequest.Method = .get, body: RequestBody = .empty,
      _ change: (inout Request) -> Void = { _ in }
    ) async throws -> Exchange.RetryRefusal? {
      try await fixture.send(method, body: body, change).exchange.retryRefusal
    }
    #expect(try await refusal(.post) == .notIdempotent)
    #expect(try await refusal(body: .once(length: 1, ScriptedByteSource([[1]]))) == .bodyNotReplayable)
    #expect(try await refusal(.put) == .retryAfterTooLong)
    #expect(try await refusal { $0.options.timeouts.call = .zero } == .noTimeLeft)
    #expect(try await refusal { $0.context.retryPolicy = .never } == .noAttemptsLeft)
    #expect(fixture.server.requests.count == 5)
    #expect(try await refusal() == .noAttemptsLeft)
    #expect(try await refusal() == .budgetSpent)
    #expect(fixture.server.requests.count == 8)
  }

  @Test("An error that is not retried says why")
  func errors() async throws {
    let fixture = RetryFixture(circuitBreaker: CircuitBreaker(failureLimit: 2)) { _, _ throws(NetworkError) in
      throw .lost
    }
    let unsafe = await #expect(throws: NetworkError.self) { try await fixture.send(.post) }
    #expect(unsafe?.retryRefusal == .notIdempotent)
    let second = await #expect(throws: NetworkError.self) { try await fixture.send() }
    #expect(second?.kind == .transport)
    #expect(second?.retryRefusal == .circuitOpen)
    // Refused, but not after an attempt.
    let third = await #expect(throws: NetworkError.self) { try await fixture.send() }
    #expect(third?.kind == .rejected)
    #expect(third?.retryRefusal == nil)
  }

  @Test("An attempt that the circuit breaker refuses says so")
  func refusedAttempt() async throws {
    let clock = TestClock()
    let server = ScriptedDispatcher(answering: Response(status: .badGateway))
    let pipeline = try Pipeline(over: server) {
      RetryInterceptor(
        circuitBreaker: CircuitBreaker(failureLimit: 2), time: TimeSource(clock),
        random: ConstantRandom.highest)
    }
    let task = Task { try await pipeline.send(Request(authority: "estate.example", path: "/")) }
    try await clock.waitForSleepers()
    _ = try await pipeline.send(Request(method: .post, authority: "estate.example", path: "/"))
    clock.advance(by: .milliseconds(200))
    let error = try #require(await #expect(throws: NetworkError.self) { try await task.value })
    #expect(error.kind == .rejected)
    #expect(error.retryRefusal == .circuitOpen)
    #expect(error.requestMayHaveBeenProcessed)
    #expect(server.requests.count == 2)
  }

  @Test("An outcome that is never retried, or that was, has no refusal")
  func none() async throws {
    let fixture = RetryFixture { request, _ throws(NetworkError) in
      switch request.head.method {
      case .delete: throw NetworkError(.tls(.expired), "The certificate is expired.")
      case .post: return Response(status: .internalServerError)
      default: return Response(status: request.attempt == 1 ? .serviceUnavailable : .ok)
      }
    }
    let error = await #expect(throws: NetworkError.self) { try await fixture.send(.delete) }
    #expect(error?.retryRefusal == nil)
    #expect(try await fixture.send(.post).exchange.retryRefusal == nil)
    #expect(try await fixture.send().exchange.retryRefusal == nil)
    #expect(fixture.server.requests.count == 4)
  }

  @Test("A trace has the refusal of a response and of an error")
  func trace() async throws {
    let recorder = TraceRecorder()
    let server = ScriptedDispatcher { request, _ throws(NetworkError) in
      if request.head.method == .post { throw .lost }
      return Response(status: .serviceUnavailable)
    }
    let pipeline = try Pipeline(over: server, observers: [recorder]) {
      RetryInterceptor(RetryPolicy(attemptLimit: 2), budget: RetryBudget(capacity: 0))
    }
    _ = try await pipeline.send(Request(authority: "estate.example", path: "/"))
    await #expect(throws: NetworkError.self) {
      try await pipeline.send(Request(method: .post, authority: "estate.example", path: "/"))
    }
    #expect(recorder.traces.map(\.retryRefusal) == [.budgetSpent, .notIdempotent])
  }

  @Test("Each reason has its own label, which may be the label of a metric")
  func labels() {
    let labels = Exchange.RetryRefusal.allCases.map(\.label)
    #expect(Set(labels).count == labels.count)
    #expect(labels.allSatisfy { $0.allSatisfy { $0 == "_" || $0.isLowercase } })
  }
}
