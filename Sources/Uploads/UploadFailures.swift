import HTTPTypes
import Interception

/// Decides, without I/O, whether a run continues after a failure, and after which wait.
struct UploadFailures: Sendable {
  enum Decision: Sendable, Hashable {
    /// The next request is sent after a wait.
    case retry(after: Duration)
    /// The run ends with the error; with the reason, if it is one that a run usually survives.
    case end(Exchange.RetryRefusal?)
  }

  /// The state of the run when it failed.
  struct Moment: Sendable {
    /// The number of bytes that the server has confirmed.
    var offset: Int64
    /// The time left of the call's limit; nil without one.
    var remaining: Duration?
    var now = WallTime.now()
    /// A random number from 0 up to but not including 1.
    var random: Double
  }

  /// The number of further bytes after which the failures before no longer count.
  static let progress: Int64 = 256 << 10

  let policy: UploadPolicy
  /// The number of failures in a row.
  private(set) var count = 0
  /// The number of all failures that the run survived.
  private(set) var survived = 0
  /// The most bytes that were confirmed at a failure.
  private var farthest: Int64 = 0

  init(_ policy: UploadPolicy) { self.policy = policy }

  /// Counts a failure that may pass.
  mutating func decide(on error: NetworkError, at moment: Moment) -> Decision {
    switch error.retryRefusal {
    // The chain has decided for the origin, or for the whole call.
    case .budgetSpent, .circuitOpen, .noTimeLeft, .retryAfterTooLong: return .end(error.retryRefusal)
    case .noAttemptsLeft, .notIdempotent, .bodyNotReplayable, .partlyTransferred, nil: break
    }
    if moment.offset >= farthest + Self.progress { count = 0 }
    farthest = max(farthest, moment.offset)
    count += 1
    guard count < policy.failureLimit else { return .end(policy.failureLimit > 1 ? .noAttemptsLeft : nil) }
    let asked = Self.retryAfter(error, now: moment.now)
    guard asked ?? .zero <= policy.retryAfterLimit else { return .end(.retryAfterTooLong) }
    let wait = (asked ?? .zero) + waitLimit * moment.random
    if let remaining = moment.remaining, wait >= remaining { return .end(.noTimeLeft) }
    survived += 1
    return .retry(after: wait)
  }

  /// The limit of the random wait after the present failure.
  private var waitLimit: Duration {
    var limit = policy.firstWait
    for _ in 1..<max(count, 1) where limit < policy.maximumWait { limit *= 2 }
    return min(limit, policy.maximumWait)
  }

  /// Whether a request without a response may succeed later.
  static func mayPass(_ error: NetworkError) -> Bool {
    switch error.kind {
    case .resolve, .connect, .transport: true
    case .timeout(let phase): [.connect, .firstByte, .idle, .whole].contains(phase)
    default: false
    }
  }

  private static func retryAfter(_ error: NetworkError, now: WallTime) -> Duration? {
    guard case UploadFault.status(let head)? = error.underlying else { return nil }
    return RetryAfter.wait(head.headerFields[.retryAfter], date: head.headerFields[.date], now: now)
  }
}
