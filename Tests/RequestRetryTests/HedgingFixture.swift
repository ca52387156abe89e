import HTTPTypes
import Interception
import RequestRetry
import SwitchyardTesting
import Synchronization

/// A pipeline with hedging over a server whose first 20 responses took 100 ms each, on a test clock.
struct HedgingFixture: Sendable {
  /// The script of a request after the first 20; `number` counts from 1.
  typealias Script =
    @Sendable (_ server: Attempts, _ number: Int) async throws(NetworkError) -> Response

  /// What the script can do besides responding.
  final class Attempts: Sendable {
    let clock = TestClock()
    private let cancellations = Mutex(0)

    /// The number of attempts that were cancelled while they waited.
    var cancelled: Int { cancellations.withLock { $0 } }

    /// Waits as an attempt does that the server responds to after a time.
    func wait(_ duration: Duration = .seconds(1_000)) async throws(NetworkError) {
      do {
        try await clock.sleep(for: duration)
      } catch {
        cancellations.withLock { $0 += 1 }
        throw NetworkError(.cancelled(.task), "The request was cancelled.", requestMayHaveBeenProcessed: true)
      }
    }
  }

  /// More than the 95th percentile of the latencies, and less than the next bucket's bound.
  static let delay = Duration.milliseconds(103)

  let attempts = Attempts()
  let server: ScriptedDispatcher
  let recorder = TraceRecorder()
  private let pipeline: Pipeline

  init(
    share: Double = 0.06, policy: RetryPolicy = RetryPolicy(), budget: RetryBudget? = RetryBudget(),
    circuitBreaker: CircuitBreaker? = nil, adding inner: [any Interceptor] = [], _ script: @escaping Script
  ) throws {
    server = ScriptedDispatcher { [attempts] request, number throws(NetworkError) in
      guard number > 20 else {
        attempts.clock.advance(by: .milliseconds(100))
        return Response(status: .ok)
      }
      return try await script(attempts, number - 20)
    }
    let time = TimeSource(attempts.clock)
    pipeline = try Pipeline(over: server, observers: [recorder], time: time) {
      RetryInterceptor(
        policy, budget: budget, circuitBreaker: circuitBreaker,
        hedging: HedgingPolicy(share: share, sampleMinimum: 20), time: time, random: ConstantRandom.lowest)
      inner
    }
  }

  /// The requests after the first 20.
  var sent: ArraySlice<Request> { server.requests.dropFirst(20) }

  /// Lets the interceptor measure 20 latencies.
  func teach(_ change: (inout Request) -> Void = { _ in }) async throws {
    for _ in 1...20 { _ = try await pipeline.send(request(change)) }
  }

  /// Starts a request, which the script responds to.
  func start(_ change: (inout Request) -> Void = { _ in }) -> Task<Response, any Error> {
    let request = request(change)
    return Task { try await pipeline.send(request) }
  }

  /// Waits until the first attempt and the delay are pending, and lets the delay elapse.
  func elapse(sleepers: Int = 2) async throws {
    try await attempts.clock.waitForSleepers(sleepers)
    attempts.clock.advance(by: Self.delay)
  }

  private func request(_ change: (inout Request) -> Void) -> Request {
    var request = Request(authority: "estate.example", path: "/houses")
    change(&request)
    return request
  }
}
