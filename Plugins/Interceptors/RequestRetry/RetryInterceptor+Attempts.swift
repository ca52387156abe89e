import HTTPTypes
import Interception

extension RetryInterceptor {
  /// The result of one attempt.
  enum AttemptResult: Sendable {
    case ended(Response)
    case failed(Retry)
  }

  /// The wait before the next attempt.
  ///
  /// It holds no response, so that a discarded one is released before the wait.
  struct Retry: Sendable {
    let wait: Duration
    let needsNetwork: Bool
  }

  /// Sends the request once.
  func attempt(
    _ call: inout RetriedCall, _ next: some Dispatcher
  ) async throws(NetworkError) -> AttemptResult {
    let admission = admission(of: call)
    do throws(NetworkError) {
      let response =
        if hedging == nil {
          try await dispatch(call.request, with: admission, next)
        } else {
          try await dispatchHedging(&call, with: admission, next)
        }
      let isTrial = admission?.end() ?? false
      // It is no outcome of the server, and another attempt would get it again.
      if response.isStored, response.replacedFailure == nil {
        note(succeeded: false, call, isTrial: isTrial)
        return .ended(response)
      }
      if response.status.code < 400, response.replacedFailure == nil {
        note(succeeded: true, call, isTrial: isTrial)
        return .ended(response)
      }
      let outcome = AttemptOutcome(response, now: time.wallTime())
      switch decide(outcome, call, isTrial: isTrial) {
      // A stored response in place of one from the server: without a network there is nothing to wait for.
      case .retry where outcome.isOffline: return .ended(response)
      case .retry(let wait):
        if outcome.mayHaveBeenProcessed { call.mayHaveBeenProcessed = true }
        return .failed(Retry(wait: wait, needsNetwork: false))
      case .giveUp(let refusal):
        var response = response
        response.exchange.retryRefusal = refusal
        return .ended(response)
      case .notListed: return .ended(response)
      }
    } catch {
      let isTrial = admission?.end() ?? false
      let outcome = AttemptOutcome(error)
      switch decide(outcome, call, isTrial: isTrial) {
      case .retry(let wait):
        if error.requestMayHaveBeenProcessed { call.mayHaveBeenProcessed = true }
        return .failed(Retry(wait: wait, needsNetwork: outcome.isOffline))
      case .giveUp(let refusal): throw Self.final(error, refusal, call)
      case .notListed: throw Self.final(error, nil, call)
      }
    }
  }

  private func decide(_ outcome: AttemptOutcome, _ call: RetriedCall, isTrial: Bool) -> RetryDecision {
    let request = call.request
    let policy = request.context.retryPolicy ?? policy
    let canWait = waitForNetwork != nil
    guard policy.lists(outcome, canWaitForNetwork: canWait) else {
      note(succeeded: outcome.isResponse, call, isTrial: isTrial)
      return .notListed
    }
    if outcome.isOffline {
      note(succeeded: false, call, isTrial: isTrial)
    } else {
      noteFailure(call, isTrial: isTrial)
    }
    let decision = policy.decide(
      RetryQuestion(
        outcome: outcome, attempt: call.attempts, isIdempotent: request.isIdempotent,
        isReplayable: request.permits(.repeating), remaining: call.remaining, canWaitForNetwork: canWait,
        random: nextRandom()))
    guard case .retry = decision, !outcome.isOffline, let refusal = takeRetry(call) else { return decision }
    return .giveUp(refusal)
  }

  /// Waits before the next attempt.
  func wait(for retry: Retry, of call: RetriedCall) async throws(NetworkError) {
    do {
      if retry.needsNetwork { await waitForNetwork?() }
      try Task.checkCancellation()
      try await time.sleep(for: retry.wait)
    } catch {
      throw NetworkError(
        .cancelled(.task),
        "The request to \(call.origin) was cancelled while it waited for its next attempt.",
        requestMayHaveBeenProcessed: call.mayHaveBeenProcessed, underlying: error,
        attempt: call.request.attempt)
    }
  }

  /// Returns the error that the caller gets.
  private static func final(
    _ error: NetworkError, _ refusal: Exchange.RetryRefusal?, _ call: RetriedCall
  ) -> NetworkError {
    var error = error
    if let refusal { error.retryRefusal = refusal }
    if call.mayHaveBeenProcessed, !error.requestMayHaveBeenProcessed {
      error.requestMayHaveBeenProcessed = true
    }
    if refusal == .bodyNotReplayable {
      error.reason +=
        " The request was not retried, because its body can be read only once; make it .bytes, .file or "
        + ".sequence(length:makingEach:)."
    }
    return error
  }
}

/// The state of a call across its attempts.
struct RetriedCall {
  /// The request of the current attempt.
  private(set) var request: Request
  /// Whether the server may have processed an earlier attempt.
  var mayHaveBeenProcessed = false
  private let deadline: CallDeadline?
  private let firstAttempt: Int

  init(_ request: Request, time: TimeSource) {
    self.request = request
    firstAttempt = request.attempt
    // Without a pipeline no deadline is set.
    deadline = request.deadline ?? request.callLimit.map { CallDeadline(after: $0, time: time) }
  }

  /// The number of attempts made so far, including the current one.
  var attempts: Int { request.attempt - firstAttempt + 1 }

  /// The time left; nil if the call is not limited.
  var remaining: Duration? { deadline?.remaining }

  var origin: RequestOrigin { RequestOrigin(request.head) }

  /// Makes the request that of the next attempt.
  mutating func beginNextAttempt() {
    request = request.asAttempt(request.attempt + 1)
    // Calls that share the request have different ends, and each ends its own wait.
    if request.callLimit != nil, let remaining { request.options.timeouts.call = remaining }
  }
}
