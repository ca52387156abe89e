public import Interception

/// Which outcomes are retried, how often, and after which wait.
///
/// An outcome is retried if ``statuses`` or ``failures`` lists it, and if all of the following holds:
///
/// * The method is idempotent (RFC 9110, section 9.2.2): GET, HEAD, OPTIONS, TRACE, PUT or DELETE. A request
///   with another method is retried only if the server certainly has not processed it, or if sending it twice
///   is safe: it has an `Idempotency-Key` field, or `RequestContext.isIdempotent` says so.
/// * The request's body can be sent again.
/// * At most 1 MiB of the response had been received, and the limit of the whole attempt
///   (`RequestOptions.Timeouts.whole`) did not end a transfer that progressed.
/// * The attempt was not the last one of ``attemptLimit``.
/// * A `Retry-After` field of the response asks for at most ``retryAfterLimit``.
/// * The call's time limit allows the wait.
///
/// ```swift
/// var policy = RetryPolicy()
/// policy.attemptLimit = 5
/// policy.statuses.insert(500)
/// policy.failures.remove(.resolve)
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
  public var attemptLimit: Int
  /// The statuses that are retried; ``standardStatuses`` by default.
  ///
  /// A status below 400 is never retried.
  public var statuses: Set<Int>
  /// The failures that are retried; ``standardFailures`` by default.
  ///
  /// A cancelled request, a call that exceeded its time limit and a body that can't be read again are never
  /// retried.
  public var failures: Set<NetworkError.Kind>
  /// The wait between attempts.
  public var backOff: RetryBackOff
  /// The longest `Retry-After` that is obeyed; 60 s by default.
  ///
  /// A response that asks for more is returned to the caller immediately.
  public var retryAfterLimit: Duration

  /// Creates a policy.
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
