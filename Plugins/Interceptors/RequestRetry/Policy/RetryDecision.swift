import Interception

/// Whether a request is sent again after an attempt.
enum RetryDecision: Sendable, Hashable {
  /// It is sent again after a wait.
  case retry(after: Duration)
  /// The caller gets the attempt's outcome, although the policy lists it.
  case giveUp(Exchange.RetryRefusal)
  /// The caller gets the attempt's outcome, which the policy does not list.
  case notListed
}
