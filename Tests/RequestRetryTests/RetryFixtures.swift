import HTTPTypes
import Interception
import RequestRetry
import SwitchyardTesting
import Synchronization

/// A clock on which every sleep ends immediately, and that records the sleeps.
final class SkippingClock: Clock {
  private struct State {
    var now = TestClock().now
    var sleeps: [Duration] = []
  }

  private let state = Mutex(State())

  var now: TestClock.Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .nanoseconds(1) }
  /// The durations of the sleeps so far.
  var sleeps: [Duration] { state.withLock { $0.sleeps } }

  func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    state.withLock { state in
      state.sleeps.append(state.now.duration(to: deadline))
      state.now = max(state.now, deadline)
    }
  }

  func advance(by duration: Duration) {
    state.withLock { $0.now = $0.now.advanced(by: duration) }
  }
}

/// A generator whose every number is the same, so that a random wait is zero or its limit.
struct ConstantRandom: RandomNumberGenerator, Sendable {
  static let lowest = ConstantRandom(number: 0)
  /// A wait differs from its limit by less than a nanosecond.
  static let highest = ConstantRandom(number: .max)

  let number: UInt64

  mutating func next() -> UInt64 { number }
}

/// A retry interceptor over a scripted dispatcher, on a clock that skips the waits.
struct RetryFixture {
  let server: ScriptedDispatcher
  let clock = SkippingClock()
  let chain: any Dispatcher

  init(
    _ policy: RetryPolicy = RetryPolicy(), budget: RetryBudget? = RetryBudget(),
    circuitBreaker: CircuitBreaker? = nil, waitForNetwork: (@Sendable () async -> Void)? = nil,
    random: any RandomNumberGenerator & Sendable = ConstantRandom.lowest,
    now: WallTime = WallTime(secondsSince1970: 1_700_000_000), _ script: @escaping ScriptedDispatcher.Script
  ) {
    server = ScriptedDispatcher(script)
    chain = Alone(
      interceptor: RetryInterceptor(
        policy, budget: budget, circuitBreaker: circuitBreaker, waitForNetwork: waitForNetwork,
        time: TimeSource(clock, wall: { now }), random: random), server: server)
  }

  /// The interceptor without a pipeline, which would end calls by a clock that doesn't skip.
  private struct Alone: Dispatcher {
    let interceptor: RetryInterceptor
    let server: ScriptedDispatcher

    var capabilities: DispatcherCapabilities { server.capabilities }

    func dispatch(_ request: Request) async throws(NetworkError) -> Response {
      do { return try await interceptor.intercept(request, next: server) } catch {
        throw NetworkError.wrapping(
          error, of: request, origin: .interceptor(interceptor.name), attempt: request.attempt,
          requestMayHaveBeenProcessed: !(error is NetworkError))
      }
    }
  }

  func send(
    _ method: HTTPRequest.Method = .get, _ authority: String = "estate.example", fields: HTTPFields = [:],
    body: RequestBody = .empty, _ change: (inout Request) -> Void = { _ in }
  ) async throws(NetworkError) -> Response {
    var request = Request(
      method: method, authority: authority, path: "/houses", headerFields: fields, body: body)
    change(&request)
    return try await chain.dispatch(request)
  }
}

extension NetworkError {
  /// A connection that was lost after the request was sent.
  static let lost = NetworkError(.transport, "The connection was lost.", requestMayHaveBeenProcessed: true)
  /// A connection that was never made.
  static let refused = NetworkError(.connect, "The connection was refused.")
}
