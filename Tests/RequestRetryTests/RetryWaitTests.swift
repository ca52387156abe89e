import HTTPTypes
import Interception
import RequestRetry
import SwitchyardTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RetryWaitTests {
  private let clock = TestClock()
  private let request = Request(authority: "estate.example", path: "/houses?token=secret")

  private func pipeline(
    over server: ScriptedDispatcher, waitForNetwork: (@Sendable () async -> Void)? = nil
  ) throws -> Pipeline {
    try Pipeline(over: server, time: TimeSource(clock)) {
      RetryInterceptor(
        RetryPolicy(backOff: RetryBackOff(base: .seconds(2))), waitForNetwork: waitForNetwork,
        time: TimeSource(clock), random: ConstantRandom.highest)
    }
  }

  @Test("A cancelled wait ends with an error that reports the attempt before it")
  func cancelledWait() async throws {
    let server = ScriptedDispatcher(answering: Response(status: .badGateway))
    let pipeline = try pipeline(over: server)
    let task = Task { try await pipeline.send(request) }
    try await clock.waitForSleepers()
    task.cancel()
    let error = try #require(await #expect(throws: NetworkError.self) { try await task.value })
    #expect(error.kind == .cancelled(.task))
    #expect(error.origin == .interceptor("RetryInterceptor"))
    #expect(error.requestMayHaveBeenProcessed)
    #expect(!error.reason.contains("secret"))
    #expect(server.requests.count == 1)
  }

  @Test("An attempt gets what is left of the call's time, and the call ends at its limit")
  func callLimit() async throws {
    let server = ScriptedDispatcher { [clock] _, number throws(NetworkError) in
      if number == 1 {
        await #expect(throws: Never.self) { try await clock.waitForSleepers() }
        clock.advance(by: .seconds(1))
        throw .lost
      }
      do { try await clock.sleep(for: .seconds(100)) } catch {}
      throw NetworkError(.cancelled(.task), "The request was cancelled.", requestMayHaveBeenProcessed: true)
    }
    let pipeline = try pipeline(over: server)
    var request = request
    request.options.timeouts.call = .seconds(10)
    let task = Task { [request] in try await pipeline.send(request) }
    // The pipeline's limit, and the wait before the second attempt.
    try await clock.waitForSleepers(2)
    clock.advance(by: .seconds(2))
    try await clock.waitForSleepers(2)
    #expect(server.requests.map(\.options.timeouts.call) == [.seconds(10), .seconds(7)])
    clock.advance(by: .seconds(7))
    let error = try #require(await #expect(throws: NetworkError.self) { try await task.value })
    #expect(error.kind == .timeout(.call))
    #expect(error.attempt == 2)
    #expect(error.requestMayHaveBeenProcessed)
    #expect(server.requests.count == 2)
  }

  @Test("An offline request waits for the network if the interceptor can, and costs no budget")
  func network() async throws {
    let offline = NetworkError(.offline, "There is no network.")
    let waits = Mutex(0)
    let waiting = RetryFixture(
      budget: RetryBudget(capacity: 0), waitForNetwork: { waits.withLock { $0 += 1 } }
    ) { _, number throws(NetworkError) in
      if number < 3 { throw offline }
      return Response(status: .created)
    }
    #expect(try await waiting.send(.post).status == .created)
    #expect(waits.withLock { $0 } == 2)
    let failing = RetryFixture { _, _ throws(NetworkError) in throw offline }
    let error = await #expect(throws: NetworkError.self) { try await failing.send() }
    #expect(error?.kind == .offline)
    #expect(failing.server.requests.count == 1)
  }

  @Test("A wait for the network ends at the call's time limit")
  func networkLimit() async throws {
    let server = ScriptedDispatcher(failing: NetworkError(.offline, "There is no network."))
    let pipeline = try pipeline(over: server) { [clock] in try? await clock.sleep(for: .seconds(1_000)) }
    var request = request
    request.options.timeouts.call = .seconds(30)
    let task = Task { [request] in try await pipeline.send(request) }
    try await clock.waitForSleepers(2)
    clock.advance(by: .seconds(30))
    let error = await #expect(throws: NetworkError.self) { try await task.value }
    #expect(error?.kind == .timeout(.call))
    #expect(error?.requestMayHaveBeenProcessed == false)
  }
}
