/// Whether a request is sent again after an attempt.
enum RetryDecision: Sendable, Hashable {
  /// It is sent again after a wait.
  case retry(after: Duration)
  /// The caller gets the attempt's outcome.
  case giveUp(Reason)

  /// Why a request is not sent again.
  enum Reason: Sendable, Hashable {
    /// The policy does not list the outcome.
    case notListed
    /// It was the last attempt.
    case noAttemptsLeft
    /// The server may have processed the request, and processing it twice is not safe.
    case notIdempotent
    /// The body can be read only once.
    case bodyNotReplayable
    /// The server asks for a longer wait than the policy allows.
    case retryAfterTooLong
    /// The wait would exceed the call's time limit.
    case noTimeLeft
    /// The origin has had too many retries, or its circuit breaker is open.
    case originIsFailing
  }
}
