import HTTPTypes
import Interception
import Synchronization

extension RetryInterceptor {
  private enum HedgeEvent: Sendable {
    case attemptEnded(Result<Response, NetworkError>, isHedge: Bool)
    case delayElapsed
    /// The wait for the delay was cancelled.
    case interrupted
  }

  private struct HedgedOutcome: Sendable {
    let result: Result<Response, NetworkError>
    let isHedged: Bool
    /// Whether the server may have processed the attempt that failed first.
    let mayHaveBeenProcessed: Bool
    /// How long the first attempt took, or when it was cancelled; nil if it failed.
    let latency: Duration?
  }

  /// Sends the request of an attempt, and a second time if its response takes unusually long.
  func dispatchHedging(
    _ call: inout RetriedCall, with admission: Admission?, _ next: some Dispatcher
  ) async throws(NetworkError) -> Response {
    let policy = call.request.context.retryPolicy ?? policy
    // Only the first attempt: a server that has failed gets no further load.
    guard call.attempts == 1, policy.attemptLimit > 1, call.request.permits(.hedging) else {
      return try await dispatch(call.request, with: admission, next)
    }
    let target = HedgeLedger.Target(
      origin: call.origin, isStreamed: call.request.options.delivery == .streamed)
    let start = time.now()
    guard let delay = hedges.withLock({ $0.begin(target, at: start) }) else {
      let response = try await dispatch(call.request, with: admission, next)
      if policy.returns(response), !response.isStored { note(time.now() - start, of: target) }
      return response
    }
    let outcome = await race(call, admission, target, policy, delay: delay, start: start, next)
    if let latency = outcome.latency { note(latency, of: target) }
    guard outcome.isHedged else { return try outcome.result.get() }
    call.beginNextAttempt()
    if outcome.mayHaveBeenProcessed { call.mayHaveBeenProcessed = true }
    var response = try outcome.result.get()
    if response.exchange.attempts < call.request.attempt { response.exchange.attempts = call.request.attempt }
    return response
  }

  private func race(
    _ call: RetriedCall, _ admission: Admission?, _ target: HedgeLedger.Target, _ policy: RetryPolicy,
    delay: Duration,
    start: Duration, _ next: some Dispatcher
  ) async -> HedgedOutcome {
    // The group ends when the attempt that lost has ended: no task outlives the call.
    await withTaskGroup(of: HedgeEvent.self) { group in
      group.addTask { [request = call.request] in
        .attemptEnded(await self.result(of: request, with: admission, next), isHedge: false)
      }
      group.addTask { [time] in
        do {
          try await time.sleep(for: delay)
          return .delayElapsed
        } catch {
          return .interrupted
        }
      }
      var race = HedgeRace()
      var mayHaveBeenProcessed = false
      var latency: Duration?
      var result: Result<Response, NetworkError>?
      events: while let event = await group.next() {
        switch event {
        case .interrupted: break
        case .delayElapsed:
          guard race.delayElapsed(mayHedge: takeHedge(of: target)) == .startHedge else { continue }
          var hedge = call
          hedge.beginNextAttempt()
          group.addTask { [request = hedge.request] in
            .attemptEnded(await self.result(of: request, with: admission, next), isHedge: true)
          }
        case .attemptEnded(let ended, let isHedge):
          let isFinal = policy.isFinal(ended)
          // If the hedge was faster, the first attempt would have taken at least this long.
          if isFinal, isHedge || !ended.isStored { latency = time.now() - start }
          result = ended
          if race.attemptEnded(isFinal: isFinal) == .finish { break events }
          mayHaveBeenProcessed = ended.mayHaveBeenProcessed
        }
      }
      group.cancelAll()
      // There is a result, because the first attempt always ends.
      return HedgedOutcome(
        result: result ?? .failure(NetworkError(.cancelled(.task), "The request was cancelled.")),
        isHedged: race.isHedged, mayHaveBeenProcessed: mayHaveBeenProcessed, latency: latency)
    }
  }

  private func takeHedge(of target: HedgeLedger.Target) -> Bool {
    !Task.isCancelled && canRetry(target.origin) && hedges.withLock { $0.takeHedge(of: target) }
  }

  private func note(_ latency: Duration, of target: HedgeLedger.Target) {
    let now = time.now()
    hedges.withLock { $0.note(latency, of: target, at: now) }
  }

  private func result(
    of request: Request, with admission: Admission?, _ next: some Dispatcher
  ) async -> Result<Response, NetworkError> {
    do throws(NetworkError) {
      return .success(try await dispatch(request, with: admission, next))
    } catch {
      return .failure(error)
    }
  }
}

extension RetryPolicy {
  /// Whether the end of an attempt is one that another attempt need not be waited for.
  fileprivate func isFinal(_ result: Result<Response, NetworkError>) -> Bool {
    if case .success(let response) = result { returns(response) } else { false }
  }
}

extension Result<Response, NetworkError> {
  fileprivate var isStored: Bool {
    if case .success(let response) = self { response.isStored } else { false }
  }

  /// Whether the server may have processed the request.
  fileprivate var mayHaveBeenProcessed: Bool {
    switch self {
    case .success: true
    case .failure(let error): error.requestMayHaveBeenProcessed
    }
  }
}

/// Decides between the first attempt of a request and its hedge.
///
/// An outcome that is not retried ends the race. Any other one is left to the attempt that still runs, so
/// that only the last of two failures counts.
struct HedgeRace: Sendable, Hashable {
  /// What follows from an event.
  enum Action: Sendable, Hashable {
    /// Nothing, until the next event.
    case wait
    /// The request is sent a second time.
    case startHedge
    /// The race is over: the attempt that just ended has won, and the other one, if any, is cancelled.
    case finish
  }

  private var running = 1
  /// Whether the hedge was started.
  private(set) var isHedged = false

  /// The delay has elapsed, and a hedge may be sent or not.
  mutating func delayElapsed(mayHedge: Bool) -> Action {
    guard mayHedge, !isHedged, running == 1 else { return .wait }
    isHedged = true
    running += 1
    return .startHedge
  }

  /// An attempt has ended, with an outcome that is final or one that is usually retried.
  mutating func attemptEnded(isFinal: Bool) -> Action {
    running -= 1
    return isFinal || running <= 0 ? .finish : .wait
  }
}
