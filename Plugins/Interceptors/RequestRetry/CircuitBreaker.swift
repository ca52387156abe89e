import Interception

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
  package let failureLimit: Int
  /// The time for which requests are refused; 30 s by default.
  package let pause: Duration

  private var phase = Phase.closed(failures: 0)

  /// Creates a circuit breaker.
  ///
  /// - Parameters:
  ///   - failureLimit: The number of failures in a row after which requests are refused; 5 by default.
  ///   - pause: The time for which requests are refused; 30 s by default.
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

  /// The state as it is shown.
  func status(named name: String, at now: Duration) -> CircuitStatus {
    switch phase {
    case .closed(let failures): CircuitStatus(name: name, state: .closed, failures: failures)
    case .open(let end) where now < end:
      CircuitStatus(name: name, state: .open(for: end - now), failures: nil)
    // The next request is the trial.
    case .open, .trial: CircuitStatus(name: name, state: .halfOpen, failures: nil)
    }
  }
}
