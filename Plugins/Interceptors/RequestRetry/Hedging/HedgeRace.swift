/// Decides between the first attempt of a request and its hedge.
///
/// An outcome that is not retried ends the race. Any other one is left to the attempt that still runs, so
/// that only the last of two failures counts.
struct HedgeRace: Sendable, Hashable {
  /// What follows from an event.
  enum Action: Sendable, Hashable {
    /// Nothing, until the next event.
    case wait
    /// The request is sent a second time.
    case startHedge
    /// The race is over: the attempt that just ended has won, and the other one, if any, is cancelled.
    case finish
  }

  private var running = 1
  /// Whether the hedge was started.
  private(set) var isHedged = false

  /// The delay has elapsed, and a hedge may be sent or not.
  mutating func delayElapsed(mayHedge: Bool) -> Action {
    guard mayHedge, !isHedged, running == 1 else { return .wait }
    isHedged = true
    running += 1
    return .startHedge
  }

  /// An attempt has ended, with an outcome that is final or one that is usually retried.
  mutating func attemptEnded(isFinal: Bool) -> Action {
    running -= 1
    return isFinal || running <= 0 ? .finish : .wait
  }
}
