import HTTPTypes
import Interception

extension RetryPolicy {
  /// Decides whether a request is sent again.
  func decide(_ question: RetryQuestion) -> RetryDecision {
    guard lists(question.outcome, canWaitForNetwork: question.canWaitForNetwork) else {
      return .notListed
    }
    guard question.attempt < attemptLimit else { return .giveUp(.noAttemptsLeft) }
    guard question.isIdempotent || !question.outcome.mayHaveBeenProcessed else {
      return .giveUp(.notIdempotent)
    }
    guard question.isReplayable else { return .giveUp(.bodyNotReplayable) }
    guard !question.outcome.isPartlyTransferred else { return .giveUp(.partlyTransferred) }
    var wait = backOff.wait(afterAttempt: question.attempt, random: question.random)
    if case .response(_, let retryAfter?) = question.outcome {
      guard retryAfter <= retryAfterLimit else { return .giveUp(.retryAfterTooLong) }
      // The back-off is added, because a server tells many clients the same time.
      wait += retryAfter
    }
    if let remaining = question.remaining, wait >= remaining { return .giveUp(.noTimeLeft) }
    return .retry(after: wait)
  }

  /// Whether a response is one that the policy does not retry, whatever the request.
  func returns(_ response: Response) -> Bool {
    switch response.replacedFailure {
    case .error(let error): return !lists(AttemptOutcome(error))
    case .response(let head): return !lists(.response(status: head.status.code, retryAfter: nil))
    case nil:
      let status = response.status.code
      return status < 400 || !statuses.contains(status)
    }
  }

  /// Whether an outcome is one that the policy retries, whatever the request.
  func lists(_ outcome: AttemptOutcome, canWaitForNetwork: Bool = false) -> Bool {
    switch outcome {
    case .response(let status, _): return status >= 400 && statuses.contains(status)
    case .unsent(let kind): return kind == .offline && (canWaitForNetwork || failures.contains(kind))
    case .failure(let kind, _, _):
      switch kind {
      case .cancelled, .timeout(.call), .bodyNotReplayable: return false
      case .offline: return canWaitForNetwork || failures.contains(kind)
      default: return failures.contains(kind)
      }
    }
  }
}
