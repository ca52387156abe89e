import HTTPTypes
public import Interception

/// Which outcomes are retried, how often, and after which wait.
///
/// An outcome is retried if `statuses` or `failures` lists it, and if all of the following holds:
///
/// * The method is idempotent (RFC 9110, section 9.2.2): GET, HEAD, QUERY, OPTIONS, TRACE, PUT or DELETE. A
///   request with another method is retried only if the server certainly has not processed it, or if sending
///   it twice is safe: it has an `Idempotency-Key` field, or `RequestContext.isIdempotent` says so.
/// * The request's body can be sent again.
/// * At most 1 MiB of the response had been received, and the limit of the whole attempt
///   (`RequestOptions.Timeouts.whole`) did not end a transfer that progressed.
/// * The attempt was not the last one of `attemptLimit`.
/// * A `Retry-After` field of the response asks for at most `retryAfterLimit`.
/// * The call's time limit allows the wait.
///
/// ```swift
/// let policy = RetryPolicy(
///   attemptLimit: 5, statuses: RetryPolicy.standardStatuses.union([500]),
///   failures: RetryPolicy.standardFailures.subtracting([.resolve]))
/// ```
public struct RetryPolicy: Sendable, Hashable {
  /// The statuses that are retried by default: 408, 429, 502, 503 and 504.
  ///
  /// 500 is not one of them, because it usually reports a fault that the same request meets again.
  public static let standardStatuses: Set<Int> = [408, 429, 502, 503, 504]

  /// The failures that are retried by default: the name could not be resolved, no connection was made, the
  /// connection was lost, or a phase other than the wait in the queue exceeded its time limit.
  ///
  /// Not among them are failures that a second attempt meets again (the certificate, the request itself, an
  /// interceptor's refusal), and those of an overloaded app (a full queue, no file descriptors).
  public static let standardFailures: Set<NetworkError.Kind> = [
    .resolve, .connect, .transport, .timeout(.connect), .timeout(.firstByte), .timeout(.idle),
    .timeout(.whole),
  ]

  /// The maximum number of bytes of a broken response that another attempt may receive again.
  static let maximumRepeatedBytes: Int64 = 1 << 20

  /// Never retries.
  public static let never = RetryPolicy(attemptLimit: 1)

  /// The maximum number of attempts, including the first one; 3 by default.
  package var attemptLimit: Int
  /// The statuses that are retried; ``standardStatuses`` by default.
  package var statuses: Set<Int>
  /// The failures that are retried; ``standardFailures`` by default.
  package var failures: Set<NetworkError.Kind>
  /// The wait between attempts.
  package var backOff: RetryBackOff
  /// The longest `Retry-After` that is obeyed; 60 s by default.
  package var retryAfterLimit: Duration

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - attemptLimit: The maximum number of attempts, including the first one; 3 by default.
  ///   - statuses: The statuses that are retried; ``standardStatuses`` by default.
  ///
  ///     A status below 400 is never retried.
  ///   - failures: The failures that are retried; ``standardFailures`` by default.
  ///
  ///     A cancelled request, a call that exceeded its time limit and a body that can't be read again are
  ///     never retried.
  ///   - backOff: The wait between attempts.
  ///   - retryAfterLimit: The longest `Retry-After` that is obeyed; 60 s by default.
  ///
  ///     A response that asks for more is returned to the caller immediately.
  public init(
    attemptLimit: Int = 3, statuses: Set<Int> = standardStatuses,
    failures: Set<NetworkError.Kind> = standardFailures, backOff: RetryBackOff = RetryBackOff(),
    retryAfterLimit: Duration = .seconds(60)
  ) {
    self.attemptLimit = attemptLimit
    self.statuses = statuses
    self.failures = failures
    self.backOff = backOff
    self.retryAfterLimit = retryAfterLimit
  }
}

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

/// Everything that a retry policy considers after an attempt.
struct RetryQuestion: Sendable, Hashable {
  /// How the attempt ended.
  var outcome: AttemptOutcome
  /// The number of attempts made so far.
  var attempt: Int
  /// Whether processing the request twice has the same effect as processing it once.
  var isIdempotent: Bool
  /// Whether the body can be sent again.
  var isReplayable: Bool
  /// The time left for the call; nil if it is not limited.
  var remaining: Duration?
  /// Whether the interceptor can wait for a network.
  var canWaitForNetwork = false
  /// A number from 0 up to, but not including, 1.
  var random: Double
}

/// Whether a request is sent again after an attempt.
enum RetryDecision: Sendable, Hashable {
  /// It is sent again after a wait.
  case retry(after: Duration)
  /// The caller gets the attempt's outcome, although the policy lists it.
  case giveUp(Exchange.RetryRefusal)
  /// The caller gets the attempt's outcome, which the policy does not list.
  case notListed
}
