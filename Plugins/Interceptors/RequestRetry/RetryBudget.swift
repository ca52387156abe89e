import Interception

/// The retries that an origin may cost, as a token bucket.
///
/// A retry takes a token, and nothing is retried without one; a success and the passing of time return parts
/// of a token. By default a server that is down therefore gets 10 retries at once and then one in 10 s,
/// instead of each request several times.
public struct RetryBudget: Sendable, Hashable {
  /// The number of tokens of an origin without failures; 10 by default.
  package let capacity: Int
  /// The part of a token that a success returns; 0.1 by default.
  package let depositPerSuccess: Double
  /// The time in which an origin that is used rarely regains a token; 10 s by default.
  package let refillInterval: Duration

  private var tokens: Double
  private var updatedAt = Duration.zero

  /// Creates a full budget.
  ///
  /// - Parameters:
  ///   - capacity: The number of tokens of an origin without failures; 10 by default.
  ///   - depositPerSuccess: The part of a token that a success returns; 0.1 by default.
  ///   - refillInterval: The time in which an origin that is used rarely regains a token; 10 s by default.
  public init(capacity: Int = 10, depositPerSuccess: Double = 0.1, refillInterval: Duration = .seconds(10)) {
    self.capacity = max(0, capacity)
    self.depositPerSuccess = max(0, depositPerSuccess)
    self.refillInterval = max(.milliseconds(1), refillInterval)
    tokens = Double(self.capacity)
  }

  /// Whether all tokens are available, so that the budget need not be remembered.
  func isFull(at now: Duration) -> Bool {
    var copy = self
    copy.refill(at: now)
    return copy.tokens >= Double(capacity)
  }

  /// Takes a token for a retry; returns false if there is none.
  mutating func withdraw(at now: Duration) -> Bool {
    refill(at: now)
    guard tokens >= 1 else { return false }
    tokens -= 1
    return true
  }

  /// Records that a request succeeded.
  mutating func deposit(at now: Duration) {
    refill(at: now)
    tokens = min(Double(capacity), tokens + depositPerSuccess)
  }

  private mutating func refill(at now: Duration) {
    guard now > updatedAt else { return }
    tokens = min(Double(capacity), tokens + (now - updatedAt) / refillInterval)
    updatedAt = now
  }
}
