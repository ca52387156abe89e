/// Decides when a state is published; a pure value, with the time as a parameter.
///
/// The first state is published at once. After a change nothing is published until no further one was
/// reported for the quiet time, because a change of the network consists of many events: links, addresses and
/// routes. A network that never becomes quiet is published after five times that. A state that equals the
/// published one isn't published again.
struct ChangeDebouncing: Sendable {
  /// What to do next.
  enum Action: Hashable {
    /// Nothing.
    case none
    /// Publish a state.
    case publish(NetworkState)
    /// Call ``timerFired(at:)`` after a time.
    case wait(Duration)
  }

  private struct Pending {
    var state: NetworkState
    let since: Duration
    var changedAt: Duration
  }

  private let quiet: Duration
  private var published: NetworkState?
  private var pending: Pending?

  init(quiet: Duration) { self.quiet = max(.zero, quiet) }

  /// Records a state that was reported.
  mutating func receive(_ state: NetworkState, at now: Duration) -> Action {
    guard let published else {
      self.published = state
      return .publish(state)
    }
    if pending != nil {
      // The timer is running; it takes the later change into account.
      if pending?.state != state { pending?.changedAt = now }
      pending?.state = state
      return .none
    }
    guard state != published else { return .none }
    pending = Pending(state: state, since: now, changedAt: now)
    return .wait(quiet)
  }

  /// Decides after a wait.
  mutating func timerFired(at now: Duration) -> Action {
    guard let pending else { return .none }
    let end = min(pending.changedAt + quiet, pending.since + quiet * 5)
    guard now >= end else { return .wait(end - now) }
    self.pending = nil
    guard pending.state != published else { return .none }
    published = pending.state
    return .publish(pending.state)
  }
}
