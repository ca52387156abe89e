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

  /// The circuits of the origins that are remembered, sorted by origin.
  func circuits(at now: Duration) -> [CircuitStatus] {
    entries.compactMap { origin, entry in entry.breaker?.status(named: origin.description, at: now) }
      .sorted { $0.name < $1.name }
  }

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
