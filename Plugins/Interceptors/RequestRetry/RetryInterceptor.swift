public import Interception
import Synchronization

/// Sends a request again after a transient failure: a lost connection, an exceeded time limit, a 503.
///
/// Use it for an app's ordinary requests. Don't use it for requests that are repeated by their own logic,
/// such as the upload of a queue, or where a late response is worth less than an early error: set
/// `RequestContext.retryPolicy` to ``RetryPolicy/never`` for those.
///
/// ```swift
/// let pipeline = try Pipeline(over: dispatcher) {
///   RetryInterceptor(RetryPolicy(attemptLimit: 4))
/// }
/// var request = Request(authority: "api.estate.example", path: "/houses")
/// request.options.timeouts.call = .seconds(30)
/// let response = try await pipeline.send(request)
/// ```
///
/// A ``RetryPolicy`` decides what is retried and when. The wait before an attempt is random, up to a limit
/// that doubles with each attempt, after the time that a `Retry-After` field asks for. A ``RetryBudget`` per
/// origin keeps retries from multiplying the load of a server that is down, and an optional
/// ``CircuitBreaker`` stops the requests to it, when they leave the device: a response from a cache is
/// returned although the circuit is open, and neither closes it nor adds to the budget. A cache's refresh in
/// the background is never the request that tries whether the server is back. With a
/// ``HedgingPolicy``, a read is sent a second time while its first attempt takes unusually long.
///
/// The caller gets the last attempt's response or error. If it is one that is usually retried,
/// `Exchange.retryRefusal` or `NetworkError.retryRefusal` says why it was not. A response that is given up
/// for a retry is released before the wait, so that its transfer ends. A response is never retried once it
/// was returned: if its stream breaks, the reader gets the error. With a cancelled task, a wait ends with
/// `NetworkError.Kind.cancelled`. A stale response that a cache returns because the server failed is returned
/// only after the last attempt, or at once if there is no network.
///
/// It stands after redirects, so that each hop is retried by itself, and before cookies, authorization and
/// signing, so that each attempt has fresh credentials, time and nonce. A 401 is left to authorization, as is
/// a failure to obtain credentials: it is neither retried nor held against the request's own origin.
public final class RetryInterceptor: Interceptor {
  /// At stage `retry`; calls `next` once per attempt.
  public let traits = InterceptorTraits(stage: .retry, callsNext: .anyNumber)
  let policy: RetryPolicy
  let time: TimeSource
  let waitForNetwork: (@Sendable () async -> Void)?
  let hedging: HedgingPolicy?
  let hedges: Mutex<HedgeLedger>
  let hasBreakers: Bool
  let ledger: Mutex<OriginLedger>
  // Read for each success: almost always nothing is remembered, and no lock is needed.
  private let remembersOrigins = Atomic(false)
  private let random: Mutex<any RandomNumberGenerator & Sendable>

  /// Creates an interceptor.
  ///
  /// - Parameters:
  ///   - policy: What is retried, unless `RequestContext.retryPolicy` says otherwise.
  ///   - budget: The retries that each origin may cost; nil for no limit but that of the attempts.
  ///   - circuitBreaker: When all requests to an origin are refused; nil, the default, for never.
  ///   - hedging: When a read is sent a second time before its first attempt has ended; nil, the default, for
  ///     never.
  ///   - waitForNetwork: Returns when there is a network, or when the task is cancelled. With it, a request
  ///     that fails with `NetworkError.Kind.offline` waits and is sent again; without it, the default, such
  ///     a request fails. Limit the wait with `timeouts.call`, which a pipeline obeys here too.
  ///   - time: The clock of the waits.
  ///   - random: The source of random waits.
  public init(
    _ policy: RetryPolicy = RetryPolicy(), budget: RetryBudget? = RetryBudget(),
    circuitBreaker: CircuitBreaker? = nil, hedging: HedgingPolicy? = nil,
    waitForNetwork: (@Sendable () async -> Void)? = nil, time: TimeSource = .system,
    random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) {
    self.policy = policy
    self.time = time
    self.waitForNetwork = waitForNetwork
    self.hedging = hedging
    hedges = Mutex(HedgeLedger(hedging ?? HedgingPolicy()))
    hasBreakers = circuitBreaker != nil
    ledger = Mutex(OriginLedger(budget: budget, breaker: circuitBreaker))
    self.random = Mutex(random)
  }

  /// Sends a request until it succeeds or the policy gives up.
  ///
  /// - Throws: The error of the last attempt. If its body can't be sent again, the reason says so. With a
  ///   circuit breaker that refuses the request, `NetworkError.Kind.rejected`.
  public func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    var call = RetriedCall(request, time: time)
    while true {
      switch try await attempt(&call, next) {
      case .ended(let response): return response
      case .failed(let retry): try await wait(for: retry, of: call)
      }
      call.beginNextAttempt()
    }
  }

  func nextRandom() -> Double { random.withLock { Double.random(in: 0..<1, using: &$0) } }
}

extension RetryInterceptor {
  /// Whether an attempt is the trial of a circuit breaker, once it has left.
  ///
  /// A request can leave after its attempt has ended, such as a cache's refresh in the background. It is no
  /// trial, because its outcome isn't recorded.
  final class Admission: Sendable {
    private enum State: UInt8, AtomicRepresentable { case started, trial, ended }

    private let state = Atomic(State.started)

    fileprivate var isTrial: Bool { state.load(ordering: .relaxed) == .trial }

    /// Makes the attempt a trial; returns false if it has ended.
    fileprivate func beginTrial() -> Bool {
      state.compareExchange(expected: .started, desired: .trial, ordering: .relaxed).exchanged
    }

    /// Ends the attempt, and returns whether it was a trial, whose outcome must be recorded then.
    func end() -> Bool { state.exchange(.ended, ordering: .relaxed) == .trial }
  }

  /// Returns the admission of an attempt; nil without circuit breakers.
  func admission(of call: RetriedCall) -> Admission? {
    hasBreakers ? Admission() : nil
  }

  /// Sends a request; a circuit breaker decides when it leaves, so that a cache can respond in spite of it.
  func dispatch(
    _ request: Request, with admission: Admission?, _ next: some Dispatcher
  ) async throws(NetworkError) -> Response {
    guard let admission else { return try await next.dispatch(request) }
    let departure = Request.Departure(checking: { [self] request in try admit(request, admission) })
    return try await next.dispatch(request, onDeparture: departure)
  }

  private func admit(_ request: Request, _ admission: Admission) throws(NetworkError) {
    // A trial may leave again, such as after a 401.
    guard remembersOrigins.load(ordering: .relaxed), !admission.isTrial else { return }
    let origin = RequestOrigin(request.head)
    let decision = change { ledger, now in
      let decision = ledger.admit(origin, at: now)
      guard decision == .admittedAsTrial, !admission.beginTrial() else { return decision }
      ledger.abandonTrial(of: origin, at: now)
      return .refused(for: nil)
    }
    switch decision {
    case .admitted, .admittedAsTrial: break
    case .refused(let pause):
      let pause = pause.map { "for another \($0)" } ?? "until a trial request has ended"
      var error = NetworkError(
        .rejected,
        "Requests to \(origin) are refused \(pause), because several in a row failed; check the server, or try "
          + "again later.", attempt: request.attempt)
      if request.attempt > 1 { error.retryRefusal = .circuitOpen }
      throw error
    }
  }

  /// Records an outcome that the policy does not list.
  func note(succeeded: Bool, _ call: RetriedCall, isTrial: Bool) {
    guard remembersOrigins.load(ordering: .relaxed) else { return }
    let origin = call.origin
    change { ledger, now in
      if succeeded {
        ledger.noteSuccess(of: origin, isTrial: isTrial, at: now)
      } else if isTrial {
        ledger.abandonTrial(of: origin, at: now)
      }
    }
  }

  /// Records an outcome that the policy lists.
  func noteFailure(_ call: RetriedCall, isTrial: Bool) {
    guard hasBreakers else { return }
    let origin = call.origin
    change { $0.noteFailure(of: origin, isTrial: isTrial, at: $1) }
  }

  /// Takes a retry from the origin's budget; returns why there is none left, or nil if it was taken.
  func takeRetry(_ call: RetriedCall) -> Exchange.RetryRefusal? {
    let origin = call.origin
    return change { $0.withdraw(for: origin, at: $1) }
  }

  /// Whether the origin's budget and circuit breaker would allow a retry now.
  func canRetry(_ origin: RequestOrigin) -> Bool {
    let now = time.now()
    return ledger.withLock { $0.canRetry(origin, at: now) }
  }

  @discardableResult
  private func change<Result: Sendable>(_ change: (inout OriginLedger, _ now: Duration) -> Result) -> Result {
    let now = time.now()
    return ledger.withLock { ledger in
      let result = change(&ledger, now)
      remembersOrigins.store(!ledger.isEmpty, ordering: .relaxed)
      return result
    }
  }
}

extension RetryInterceptor: CircuitReporter {
  /// Whether the interceptor has circuit breakers.
  package var watchesOrigins: Bool { hasBreakers }

  /// The circuits of the origins that had failures.
  package var circuits: [CircuitStatus] {
    let now = time.now()
    return ledger.withLock { $0.circuits(at: now) }
  }
}

extension Response {
  /// Whether a cache responded without the server.
  var isStored: Bool {
    switch exchange.cache {
    case .hit, .staleOnError, .unsatisfied: true
    case .forwarded, .revalidated, nil: false
    }
  }
}

extension RequestContext {
  private enum RetryPolicyKey: ContextKey { static let defaultValue: RetryPolicy? = nil }

  /// When this request is retried; nil, the default, for the interceptor's own policy.
  ///
  /// Set it to ``RetryPolicy/never`` for a request that must be sent at most once; the dispatcher then does
  /// not send it again either when a reused connection turns out to be closed.
  public var retryPolicy: RetryPolicy? {
    get { self[RetryPolicyKey.self] }
    set {
      self[RetryPolicyKey.self] = newValue
      let isSentOnce = newValue.map { $0.attemptLimit <= 1 } ?? false
      if isSentOnce != self.isSentOnce { self.isSentOnce = isSentOnce }
    }
  }
}
