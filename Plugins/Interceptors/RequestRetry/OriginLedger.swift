import Interception

/// The budgets and circuit breakers of the origins that had failures.
///
/// An origin is forgotten once its budget is full and its circuit breaker has no failure, because a new one
/// would be equal. Beyond `capacity` origins, the one with a closed circuit breaker that has changed least
/// recently is evicted.
struct OriginLedger: Sendable {
  private struct Entry: Sendable {
    var budget: RetryBudget?
    var breaker: CircuitBreaker?
    var changedAt: Duration

    func isTrivial(at now: Duration) -> Bool {
      (budget?.isFull(at: now) ?? true) && (breaker?.isPristine ?? true)
    }

    mutating func withdraw(at now: Duration) -> Exchange.RetryRefusal? {
      if let breaker, breaker.isOpen { return .circuitOpen }
      return budget?.withdraw(at: now) == false ? .budgetSpent : nil
    }
  }

  private let budget: RetryBudget?
  private let breaker: CircuitBreaker?
  private let capacity: Int
  private var entries: [RequestOrigin: Entry] = [:]

  /// Creates an empty ledger.
  ///
  /// - Parameters:
  ///   - budget: The budget of each origin; nil for none.
  ///   - breaker: The circuit breaker of each origin; nil for none.
  init(budget: RetryBudget?, breaker: CircuitBreaker?, capacity: Int = 256) {
    self.budget = budget
    self.breaker = breaker
    self.capacity = max(1, capacity)
  }

  /// Whether no origin is remembered, so that successes need not be recorded.
  var isEmpty: Bool { entries.isEmpty }

  /// The number of origins that are remembered.
  var count: Int { entries.count }

  /// Decides whether a request may be sent.
  mutating func admit(_ origin: RequestOrigin, at now: Duration) -> CircuitBreaker.Admission {
    entries[origin]?.breaker?.admit(at: now) ?? .admitted
  }

  /// Takes a token for a retry; returns why there is none, or nil if it was taken.
  mutating func withdraw(for origin: RequestOrigin, at now: Duration) -> Exchange.RetryRefusal? {
    change(origin, at: now) { $0.withdraw(at: now) }
  }

  /// Whether the origin has a token for a retry, and its circuit breaker is closed.
  func canRetry(_ origin: RequestOrigin, at now: Duration) -> Bool {
    var entry = entries[origin] ?? Entry(budget: budget, breaker: breaker, changedAt: now)
    return entry.withdraw(at: now) == nil
  }

  /// Records that a request succeeded.
  mutating func noteSuccess(of origin: RequestOrigin, isTrial: Bool, at now: Duration) {
    guard entries.index(forKey: origin) != nil else { return }
    change(origin, at: now) { entry in
      entry.budget?.deposit(at: now)
      entry.breaker?.noteSuccess(isTrial: isTrial)
    }
  }

  /// Records that a request failed in a way that concerns the origin.
  mutating func noteFailure(of origin: RequestOrigin, isTrial: Bool, at now: Duration) {
    guard breaker != nil else { return }
    change(origin, at: now) { $0.breaker?.noteFailure(isTrial: isTrial, at: now) }
  }

  /// Records that a trial ended without an outcome that concerns the origin.
  mutating func abandonTrial(of origin: RequestOrigin, at now: Duration) {
    entries[origin]?.breaker?.abandonTrial(at: now)
  }

  private mutating func change<Result>(
    _ origin: RequestOrigin, at now: Duration, _ change: (inout Entry) -> Result
  ) -> Result {
    var entry = entries[origin] ?? Entry(budget: budget, breaker: breaker, changedAt: now)
    let result = change(&entry)
    entry.changedAt = now
    entries[origin] = entry.isTrivial(at: now) ? nil : entry
    if entries.count > capacity { evict(at: now) }
    return result
  }

  // Linear in the capacity, but only when an origin is new.
  private mutating func evict(at now: Duration) {
    entries = entries.filter { !$0.value.isTrivial(at: now) }
    guard entries.count > capacity else { return }
    let candidates = entries.filter { !($0.value.breaker?.isOpen ?? false) }
    let pool = candidates.isEmpty ? entries : candidates
    if let oldest = pool.min(by: { $0.value.changedAt < $1.value.changedAt }) { entries[oldest.key] = nil }
  }
}

/// Refuses the requests to an origin for a while after several failures in a row.
///
/// After the pause a single request is let through. If it succeeds, all following requests are; if it fails,
/// the pause begins again. It spares the caller the wait for time limits, and a server that recovers the
/// load.
public struct CircuitBreaker: Sendable, Hashable {
  private enum Phase: Sendable, Hashable {
    case closed(failures: Int)
    case open(until: Duration)
    case trial
  }

  /// Whether a request may be sent.
  enum Admission: Sendable, Hashable {
    case admitted
    /// It is the only one until its outcome is known.
    case admittedAsTrial
    /// Requests are refused for this time; nil while a trial is in flight.
    case refused(for: Duration?)
  }

  /// The number of failures in a row after which requests are refused; 5 by default.
  public let failureLimit: Int
  /// The time for which requests are refused; 30 s by default.
  public let pause: Duration

  private var phase = Phase.closed(failures: 0)

  /// Creates a circuit breaker.
  public init(failureLimit: Int = 5, pause: Duration = .seconds(30)) {
    self.failureLimit = max(1, failureLimit)
    self.pause = max(.zero, pause)
  }

  /// Whether there is no failure to remember.
  var isPristine: Bool { phase == .closed(failures: 0) }

  /// Whether requests are refused.
  var isOpen: Bool { if case .closed = phase { false } else { true } }

  /// Decides whether a request may be sent.
  mutating func admit(at now: Duration) -> Admission {
    switch phase {
    case .closed: return .admitted
    case .trial: return .refused(for: nil)
    case .open(let end) where now < end: return .refused(for: end - now)
    case .open:
      phase = .trial
      return .admittedAsTrial
    }
  }

  /// Records that a request succeeded.
  mutating func noteSuccess(isTrial: Bool) {
    switch phase {
    case .closed: phase = .closed(failures: 0)
    case .trial where isTrial: phase = .closed(failures: 0)
    // It was sent before the failures.
    case .open, .trial: break
    }
  }

  /// Records that a request failed in a way that concerns the origin.
  mutating func noteFailure(isTrial: Bool, at now: Duration) {
    switch phase {
    case .closed(let failures):
      phase = failures + 1 >= failureLimit ? .open(until: now + pause) : .closed(failures: failures + 1)
    case .trial where isTrial: phase = .open(until: now + pause)
    case .open, .trial: break
    }
  }

  /// Records that a trial ended without an outcome that concerns the origin; the next request is a trial.
  mutating func abandonTrial(at now: Duration) {
    if phase == .trial { phase = .open(until: now) }
  }
}

/// The retries that an origin may cost, as a token bucket.
///
/// A retry takes a token, and nothing is retried without one; a success and the passing of time return parts
/// of a token. By default a server that is down therefore gets 10 retries at once and then one in 10 s,
/// instead of each request several times.
public struct RetryBudget: Sendable, Hashable {
  /// The number of tokens of an origin without failures; 10 by default.
  public let capacity: Int
  /// The part of a token that a success returns; 0.1 by default.
  public let depositPerSuccess: Double
  /// The time in which an origin that is used rarely regains a token; 10 s by default.
  public let refillInterval: Duration

  private var tokens: Double
  private var updatedAt = Duration.zero

  /// Creates a full budget.
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
