import Interception

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
