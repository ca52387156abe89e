public import Interception
import Synchronization

/// Limits the rate of requests to each origin; requests beyond it wait.
///
/// Use it for a server that refuses clients above a documented rate, or for batches that must not displace
/// other traffic. Don't use it to limit the number of concurrent requests, which is the dispatcher's task, or
/// instead of obeying a 429 with `Retry-After`, which is the task of a retry.
///
/// ```swift
/// let pipeline = try Pipeline(over: dispatcher) {
///   CachingInterceptor()
///   RateLimitInterceptor(RateLimit(10, burst: 20))
///   LoggingInterceptor(logger: logger)
/// }
/// ```
///
/// Each origin (scheme, host and port) has a token bucket of its own. Waiting requests proceed in the order
/// of their arrival, whatever their priorities; a cancelled one leaves its place to the next. If the
/// maximum number of requests is waiting, one more fails with `NetworkError.Kind.rejected`, so the longest
/// wait is that number divided by the rate.
///
/// It stands after the cache, so that a stored response takes no token, and inside redirects and retries, so
/// that each hop and each attempt takes one. It precedes routing, which may try several addresses for one
/// request. The wait is not part of `RequestOptions.Timeouts.whole`, which the dispatcher measures. A
/// signature is older by the wait when it arrives: keep the longest wait well below the verifier's tolerance.
/// A second transmission by the compression stage, after a server has refused a coding, takes no token.
public final class RateLimitInterceptor: Interceptor {
  /// At stage `pacing`; a pipeline may hold several, such as one per second and one per day.
  public let traits = InterceptorTraits(stage: .pacing, allowsSeveral: true)
  private let limit: RateLimit
  private let maximumWaiting: Int
  private let time: TimeSource
  private let lines: Mutex<OriginLines>

  /// Creates an interceptor.
  ///
  /// - Parameters:
  ///   - limit: The limit of each origin.
  ///   - maximumWaiting: The maximum number of requests to one origin that wait; 100. With 0, a request
  ///     beyond the rate fails immediately.
  ///   - time: The clock that fills the buckets.
  public init(_ limit: RateLimit, maximumWaiting: Int = 100, time: TimeSource = .system) {
    self.limit = limit
    self.maximumWaiting = max(0, maximumWaiting)
    self.time = time
    lines = Mutex(OriginLines(limit, maximumWaiting: self.maximumWaiting))
  }

  /// The number of origins that are remembered.
  var originCount: Int { lines.withLock { $0.count } }
  /// The number of requests that wait.
  var waitingCount: Int { lines.withLock { $0.waitingCount } }

  /// Sends the request when its turn has come.
  ///
  /// - Throws: `NetworkError.Kind.rejected` if too many requests wait; `CancellationError` if the task is
  ///   cancelled while it waits; otherwise what `next` throws.
  public func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    let origin = RequestOrigin(request.head)
    let now = time.now()
    let step = lines.withLock { $0.arrive(origin, at: now) }
    if step != .proceed(next: nil) { try await waitForTurn(step, request, origin) }
    return try await next.dispatch(request)
  }

  private func waitForTurn(
    _ first: WaitingLine.Step, _ request: Request, _ origin: RequestOrigin
  ) async throws {
    var step = first
    while true {
      let place: WaitingLine.Place
      switch step {
      case .proceed: return
      case .refuse: throw refusal(of: request, origin)
      case .sleep(let own, let duration):
        place = own
        do {
          try await time.sleep(for: duration)
        } catch {
          leave(place, origin)
          throw error
        }
      case .queue(let own):
        place = own
        try await waitForFront(place, origin)
      }
      let now = time.now()
      let next: OriginLines.Continuation?
      (step, next) = lines.withLock { $0.advance(place, of: origin, at: now) }
      next?.resume(returning: true)
    }
  }

  /// Suspends until the request is the first of those that wait.
  private func waitForFront(_ place: WaitingLine.Place, _ origin: RequestOrigin) async throws {
    let isFirst = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let known = lines.withLock { $0.suspend(place, of: origin, continuation) }
        if let known { continuation.resume(returning: known) }
      }
    } onCancel: {
      leave(place, origin)
    }
    guard isFirst else { throw CancellationError() }
  }

  private func leave(_ place: WaitingLine.Place, _ origin: RequestOrigin) {
    let (own, next) = lines.withLock { $0.leave(place, of: origin) }
    own?.resume(returning: false)
    next?.resume(returning: true)
  }

  private func refusal(of request: Request, _ origin: RequestOrigin) -> NetworkError {
    NetworkError(
      .rejected,
      "\(maximumWaiting) requests to \(origin) wait already, because the rate is limited to \(limit); send "
        + "fewer requests, or raise the rate or "
        + "RateLimitInterceptor(maximumWaiting:).", attempt: request.attempt)
  }
}

extension Stage {
  /// Delays requests to a rate, after caching and before routing; rank 550.
  package static let pacing = Stage(rank: 550, name: "pacing")
}
