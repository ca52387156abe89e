package import HTTPTypes

/// Decides, without I/O, whether a transfer of several requests continues after a failure, and after which
/// wait.
///
/// Downloads and uploads that resume share it. Which failures may pass, each of them knows itself; for those
/// without a response ``mayPass(_:)`` does.
package struct TransferFailures: Sendable {
  /// The limits of a policy.
  package struct Limits: Sendable {
    /// The maximum number of failures in a row, the last of which ends the run.
    let failures: Int
    /// The limit of the random wait after the first failure of a row, which doubles with each further one.
    let firstWait: Duration
    /// The maximum of that limit.
    let maximumWait: Duration
    /// The longest `Retry-After` that is obeyed.
    let retryAfter: Duration

    package init(failures: Int, firstWait: Duration, maximumWait: Duration, retryAfter: Duration) {
      self.failures = failures
      self.firstWait = firstWait
      self.maximumWait = maximumWait
      self.retryAfter = retryAfter
    }
  }

  package enum Decision: Sendable, Hashable {
    /// The next request is sent after a wait.
    case retry(after: Duration)
    /// The run ends with the error; with the reason, if it is one that a run usually survives.
    case end(Exchange.RetryRefusal?)
  }

  /// The state of the run when it failed.
  package struct Moment: Sendable {
    let offset: Int64
    let canResume: Bool
    let remaining: Duration?
    let now: WallTime
    let random: Double

    /// Creates a moment.
    ///
    /// - Parameters:
    ///   - offset: The number of bytes that both sides have.
    ///   - canResume: Whether the next request continues after them.
    ///   - remaining: The time left of the call's limit; nil without one.
    ///   - random: A number from 0 up to but not including 1.
    package init(
      offset: Int64, canResume: Bool = true, remaining: Duration?, now: WallTime, random: Double
    ) {
      self.offset = offset
      self.canResume = canResume
      self.remaining = remaining
      self.now = now
      self.random = random
    }
  }

  /// The number of further bytes after which the failures before no longer count.
  package static let progress: Int64 = 256 << 10
  /// The maximum number of bytes that are transferred again, as for a retry.
  private static let maximumRepeatedBytes: Int64 = 1 << 20

  private let limits: Limits
  /// The number of failures in a row.
  private var count = 0
  /// The number of all failures that the run survived.
  package private(set) var survived = 0
  /// The most bytes that both sides had at a failure, or at the start of the run.
  private var farthest: Int64

  /// Creates the count of a run that begins after `offset` bytes.
  package init(_ limits: Limits, offset: Int64 = 0) {
    self.limits = limits
    farthest = offset
  }

  /// Whether a request without a response may succeed later.
  package static func mayPass(_ error: NetworkError) -> Bool {
    switch error.kind {
    case .resolve, .connect, .transport: true
    case .timeout(let phase): [.connect, .firstByte, .idle, .whole].contains(phase)
    default: false
    }
  }

  /// Counts a failure that may pass.
  ///
  /// - Parameter head: The response that was the failure; nil if there was none.
  package mutating func decide(
    on error: NetworkError, response head: HTTPResponse?, at moment: Moment
  ) -> Decision {
    switch error.retryRefusal?.reason {
    // The chain has decided for the origin, or for the whole call.
    case .budgetSpent, .circuitOpen, .noTimeLeft, .retryAfterTooLong: return .end(error.retryRefusal)
    case .noAttemptsLeft, .notIdempotent, .bodyNotReplayable, .partlyTransferred, nil: break
    }
    if moment.offset >= farthest + Self.progress { count = 0 }
    farthest = max(farthest, moment.offset)
    count += 1
    guard count < limits.failures else { return .end(limits.failures > 1 ? .noAttemptsLeft : nil) }
    guard moment.canResume || moment.offset <= Self.maximumRepeatedBytes else {
      return .end(.partlyTransferred)
    }
    let asked = head.flatMap {
      RetryAfter.wait(in: $0.headerFields, now: moment.now)
    }
    guard asked ?? .zero <= limits.retryAfter else { return .end(.retryAfterTooLong) }
    let wait = (asked ?? .zero) + waitLimit * moment.random
    if let remaining = moment.remaining, wait >= remaining { return .end(.noTimeLeft) }
    survived += 1
    return .retry(after: wait)
  }

  /// The limit of the random wait after the present failure.
  private var waitLimit: Duration {
    var limit = limits.firstWait
    for _ in 1..<max(count, 1) where limit < limits.maximumWait { limit *= 2 }
    return min(limit, limits.maximumWait)
  }
}

extension Request {
  /// Returns the request with what is left of a call's limit; nil changes nothing.
  package func limited(to remaining: Duration?) -> Request {
    guard let remaining else { return self }
    var copy = self
    copy.options.timeouts.call = max(remaining, .milliseconds(1))
    return copy
  }
}
