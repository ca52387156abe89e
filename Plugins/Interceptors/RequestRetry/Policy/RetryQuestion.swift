import HTTPTypes
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

extension Request {
  /// Whether processing the request twice has the same effect as processing it once.
  ///
  /// A context value has precedence over the `Idempotency-Key` field, and both over the method (RFC 9110,
  /// section 9.2.2).
  var isIdempotent: Bool {
    if let declared = context.isIdempotent { return declared }
    switch head.method {
    case .get, .head, .options, .trace, .put, .delete: return true
    default: return head.headerFields.contains { $0.name == .idempotencyKey }
    }
  }
}

extension HTTPField.Name {
  /// The key by which a server recognizes repetitions of a request
  /// (draft-ietf-httpapi-idempotency-key-header).
  static let idempotencyKey = HTTPField.Name("Idempotency-Key")
}
