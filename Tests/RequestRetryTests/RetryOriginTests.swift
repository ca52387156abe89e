import HTTPTypes
import Interception
import RequestRetry
import SwitchyardTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RetryOriginTests {
  @Test("Each origin has its own budget, and successes return it")
  func budgets() async throws {
    let isDown = Mutex(true)
    let fixture = RetryFixture(
      RetryPolicy(attemptLimit: 2),
      budget: RetryBudget(capacity: 1, depositPerSuccess: 0.5, refillInterval: .seconds(1_000_000))
    ) { request, _ in
      let fails = request.head.authority == "other.example" || isDown.withLock { $0 }
      return Response(status: fails ? .badGateway : .ok)
    }
    for authority in ["estate.example", "ESTATE.example:443", "other.example", "other.example"] {
      _ = try await fixture.send(.get, authority)
    }
    #expect(fixture.server.requests.map(\.attempt) == [1, 2, 1, 1, 2, 1])
    isDown.withLock { $0 = false }
    for _ in 1...2 { _ = try await fixture.send() }
    isDown.withLock { $0 = true }
    for _ in 1...2 { _ = try await fixture.send() }
    #expect(fixture.server.requests.map(\.attempt).suffix(3) == [1, 2, 1])
  }

  @Test("Without a budget every request has all its attempts")
  func noBudget() async throws {
    let fixture = RetryFixture(budget: nil) { _, _ in Response(status: .badGateway) }
    for _ in 1...20 { _ = try await fixture.send() }
    #expect(fixture.server.requests.count == 60)
  }

  @Test("An open circuit breaker refuses requests until a trial succeeds")
  func circuit() async throws {
    let isDown = Mutex(true)
    let fixture = RetryFixture(
      RetryPolicy(attemptLimit: 2), circuitBreaker: CircuitBreaker(failureLimit: 3, pause: .seconds(30))
    ) { _, _ throws(NetworkError) in
      if isDown.withLock({ $0 }) { throw .refused }
      return Response(status: .ok)
    }
    // The third failure opens it, and ends the second call without a retry.
    for _ in 1...2 { await #expect(throws: NetworkError.self) { try await fixture.send() } }
    #expect(fixture.server.requests.map(\.attempt) == [1, 2, 1])
    let refused = try #require(await #expect(throws: NetworkError.self) { try await fixture.send() })
    #expect(refused.kind == .rejected)
    #expect(refused.origin == .interceptor("RetryInterceptor"))
    #expect(refused.reason.contains("https://estate.example are refused for another 30.0 seconds"))
    #expect(fixture.server.requests.count == 3)

    // Another origin is not affected.
    isDown.withLock { $0 = false }
    #expect(try await fixture.send(.get, "other.example").status == .ok)

    // The trial fails, and the pause begins again.
    isDown.withLock { $0 = true }
    fixture.clock.advance(by: .seconds(30))
    for _ in 1...2 { await #expect(throws: NetworkError.self) { try await fixture.send() } }
    #expect(fixture.server.requests.count == 5)

    // The trial succeeds.
    isDown.withLock { $0 = false }
    fixture.clock.advance(by: .seconds(30))
    for _ in 1...2 { #expect(try await fixture.send().status == .ok) }
  }

  @Test("A trial that ends without an outcome of the server is followed by another one")
  func abandonedTrial() async throws {
    let failure = Mutex(NetworkError.refused)
    let fixture = RetryFixture(.never, circuitBreaker: CircuitBreaker(failureLimit: 1)) {
      _, number throws(NetworkError) in
      if number == 3 { return Response(status: .ok) }
      throw failure.withLock { $0 }
    }
    await #expect(throws: NetworkError.self) { try await fixture.send() }
    fixture.clock.advance(by: .seconds(30))
    failure.withLock { $0 = NetworkError(.cancelled(.task), "The request was cancelled.") }
    await #expect(throws: NetworkError.self) { try await fixture.send() }
    #expect(try await fixture.send().status == .ok)
    #expect(fixture.server.requests.count == 3)
  }

  @Test("Requests at the same time share an origin's budget")
  func concurrent() async throws {
    let fixture = RetryFixture(budget: RetryBudget(capacity: 25, refillInterval: .seconds(1_000_000))) {
      _, _ in Response(status: .badGateway)
    }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<100 { group.addTask { _ = try? await fixture.send() } }
    }
    #expect(fixture.server.requests.count == 125)
  }
}
