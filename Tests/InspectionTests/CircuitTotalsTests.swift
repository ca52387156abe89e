import HTTPTypes
import RequestLogging
import RequestRetry
import SwitchyardTesting
import Synchronization
import Testing

@testable import Inspection
@testable import Interception

@Suite(.timeLimit(.minutes(5))) struct CircuitTotalsTests {
  @Test("The circuits are those of the pipeline, as they are now")
  func present() async throws {
    let clock = TestClock()
    let isUp = Mutex(false)
    let dispatcher = ScriptedDispatcher { _, _ throws(NetworkError) in
      guard isUp.withLock({ $0 }) else { throw NetworkError(.connect, "refused") }
      return Response(status: .ok)
    }
    let inspector = Inspector(app: "Test")
    let retry = RetryInterceptor(
      RetryPolicy(attemptLimit: 1), circuitBreaker: CircuitBreaker(failureLimit: 2, pause: .seconds(30)),
      time: TimeSource(clock))
    let pipeline = try Pipeline(over: dispatcher, observers: [inspector]) { retry }
    #expect(try circuits(inspector).isEmpty)
    _ = try? await pipeline.send(.example)
    #expect(try circuits(inspector)[0]["state"].text == "closed")
    #expect(try circuits(inspector)[0]["failures"].number == 1)
    _ = try? await pipeline.send(.example)
    let open = try circuits(inspector)[0]
    #expect(open["origin"].text == "https://api.estate.test")
    #expect(open["state"].text == "open")
    #expect(open["until"].number == 1_030)
    clock.advance(by: .seconds(30))
    #expect(try circuits(inspector)[0]["state"].text == "half-open")
    isUp.withLock { $0 = true }
    _ = try await pipeline.send(.example)
    // It is forgotten by the retries, and known as an origin of calls.
    #expect(try circuits(inspector)[0]["state"].text == "closed")
    #expect(try circuits(inspector)[0]["failures"].number == 0)
    #expect(try circuits(inspector).count == 1)
  }

  @Test("Without a circuit breaker there is no circuit, and a pipeline that is gone has none")
  func none() async throws {
    let inspector = Inspector(app: "Test")
    do {
      let pipeline = try Pipeline(over: ScriptedDispatcher(), observers: [inspector]) { RetryInterceptor() }
      _ = try await pipeline.send(.example)
      #expect(try circuits(inspector).isEmpty)
    }
    do {
      let retry = RetryInterceptor(circuitBreaker: CircuitBreaker())
      let pipeline = try Pipeline(over: ScriptedDispatcher(), observers: [inspector]) { retry }
      _ = try await pipeline.send(.example)
      #expect(try circuits(inspector).count == 1)
    }
    #expect(try circuits(inspector).isEmpty)
  }

  private func circuits(_ inspector: Inspector) throws -> [JSON] {
    let totals = CallTotals(
      records: inspector.records, redaction: Redaction(), circuitsNow: inspector.circuits.states(of:),
      now: WallTime(secondsSince1970: 1_000))
    return try JSON(totals.json)["circuits"].list
  }
}
