extension Exchange {
  /// Why a request was not sent again after an outcome that is usually retried.
  ///
  /// The raw value is a label for metrics and log lines, from a bounded set.
  public enum RetryRefusal: String, Sendable, Hashable, CaseIterable {
    /// It was the last attempt.
    case noAttemptsLeft = "no_attempts_left"
    /// The server may have processed the request, and processing it twice is not safe.
    case notIdempotent = "not_idempotent"
    /// The request's body can be read only once.
    case bodyNotReplayable = "body_not_replayable"
    /// A part would be transferred again: the limit of the whole attempt ended a transfer that progressed,
    /// or more than 1 MiB of the response had been received.
    case partlyTransferred = "partly_transferred"
    /// The server asks for a longer wait than is allowed.
    case retryAfterTooLong = "retry_after_too_long"
    /// The wait would have exceeded the call's time limit.
    case noTimeLeft = "no_time_left"
    /// The origin has had as many retries as it may cost for now.
    case budgetSpent = "budget_spent"
    /// All requests to the origin are refused for now, because several in a row failed.
    case circuitOpen = "circuit_open"
  }
}
