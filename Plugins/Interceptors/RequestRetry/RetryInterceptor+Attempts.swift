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
    let isTrial = try admit(call)
    do throws(NetworkError) {
      let response = try await next.dispatch(call.request)
      if response.status.code < 400 {
        note(succeeded: true, call, isTrial: isTrial)
        return .ended(response)
      }
      let outcome = AttemptOutcome(response, now: time.wallTime())
      guard case .retry(let wait) = decide(outcome, call, isTrial: isTrial) else { return .ended(response) }
      call.mayHaveBeenProcessed = true
      return .failed(Retry(wait: wait, needsNetwork: false))
    } catch {
      let outcome = AttemptOutcome(error)
      switch decide(outcome, call, isTrial: isTrial) {
      case .retry(let wait):
        if error.requestMayHaveBeenProcessed { call.mayHaveBeenProcessed = true }
        return .failed(Retry(wait: wait, needsNetwork: outcome.isOffline))
      case .giveUp(let reason): throw Self.final(error, reason, call)
      }
    }
  }

  private func decide(_ outcome: AttemptOutcome, _ call: RetriedCall, isTrial: Bool) -> RetryDecision {
    let request = call.request
    let policy = request.context.retryPolicy ?? policy
    let canWait = waitForNetwork != nil
    guard policy.lists(outcome, canWaitForNetwork: canWait) else {
      note(succeeded: outcome.isResponse, call, isTrial: isTrial)
      return .giveUp(.notListed)
    }
    if outcome.isOffline {
      note(succeeded: false, call, isTrial: isTrial)
    } else {
      noteFailure(call, isTrial: isTrial)
    }
    let decision = policy.decide(
      RetryQuestion(
        outcome: outcome, attempt: call.attempts, isIdempotent: request.isIdempotent,
        isReplayable: request.body.replay == .any, remaining: call.remaining, canWaitForNetwork: canWait,
        random: nextRandom()))
    guard case .retry = decision, !outcome.isOffline, !takeRetry(call) else { return decision }
    return .giveUp(.originIsFailing)
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
    _ error: NetworkError, _ reason: RetryDecision.Reason, _ call: RetriedCall
  ) -> NetworkError {
    var error = error
    if call.mayHaveBeenProcessed, !error.requestMayHaveBeenProcessed {
      error.requestMayHaveBeenProcessed = true
    }
    if reason == .bodyNotReplayable {
      error.reason +=
        " The request was not retried, because its body can be read only once; make it .bytes, .file or "
        + ".restartable."
    }
    return error
  }
}
