import Interception

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
