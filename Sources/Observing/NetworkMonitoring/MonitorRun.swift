import Interception
import Synchronization

/// What a monitor's task uses; it doesn't retain the monitor, so that a released monitor ends its task.
final class MonitorRun: Sendable {
  private struct State {
    var debouncing: ChangeDebouncing
    /// The number of the latest run; a former run no longer publishes.
    var number: UInt64 = 0
  }

  /// The time after which a source that has ended is read again, doubled with each failure.
  private static let firstPause = Duration.seconds(1)
  private static let maximumPause = Duration.seconds(60)

  let streams = Broadcast<NetworkState>(startingWith: .unknown)
  private let state: Mutex<State>
  private let debounce: Duration
  private let time: TimeSource

  init(debounce: Duration, time: TimeSource) {
    self.debounce = debounce
    self.time = time
    state = Mutex(State(debouncing: ChangeDebouncing(quiet: debounce)))
  }

  /// Begins a run and returns its number.
  func begin() -> UInt64 {
    state.withLock { state in
      state.number += 1
      state.debouncing = ChangeDebouncing(quiet: debounce)
      return state.number
    }
  }

  /// Ends the current run; call `deliver()` of the streams after the lock under which this is called.
  func end() {
    state.withLock { state in
      state.number += 1
      publish(.unknown)
    }
  }

  /// Publishes the states of a source until the task is cancelled; a stream that has ended is replaced.
  ///
  /// - Parameters:
  ///   - first: The source's stream that was opened at the start.
  ///   - number: The number of the run.
  func follow(_ first: AsyncStream<NetworkState>, of source: any NetworkSource, as number: UInt64) async {
    var states: AsyncStream<NetworkState>? = first
    var failures = 0
    while true {
      var hasReported = false
      if let states { hasReported = await follow(states, as: number) }
      guard !Task.isCancelled else { return }
      failures = hasReported ? 0 : failures + 1
      // A stream that has ended for a moment, such as at an error of the socket, is no change of the network.
      if failures > 0 { forgetState(as: number) }
      let pause = min(Self.firstPause * (1 << min(failures, 6)), Self.maximumPause)
      do { try await time.sleep(for: pause) } catch { return }
      states = try? source.states()
    }
  }

  /// Publishes the states of a stream until it ends or the task is cancelled; returns whether there were any.
  private func follow(_ states: AsyncStream<NetworkState>, as number: UInt64) async -> Bool {
    await withDiscardingTaskGroup { group in
      var hasReported = false
      for await state in states {
        hasReported = true
        let now = time.now()
        if let pause = perform(as: number, { $0.receive(state, at: now) }) {
          group.addTask { await self.settle(after: pause, as: number) }
        }
      }
      return hasReported
    }
  }

  /// Publishes that nothing is known, so that the next state is published at once.
  private func forgetState(as number: UInt64) {
    defer { streams.deliver() }
    state.withLock { state in
      guard state.number == number else { return }
      state.debouncing = ChangeDebouncing(quiet: debounce)
      publish(.unknown)
    }
  }

  private func settle(after pause: Duration, as number: UInt64) async {
    var next: Duration? = pause
    while let pause = next {
      do { try await time.sleep(for: pause) } catch { return }
      let now = time.now()
      next = perform(as: number) { $0.timerFired(at: now) }
    }
  }

  /// Performs what the policy decides; returns the time to wait, if any.
  private func perform(
    as number: UInt64, _ decide: (inout ChangeDebouncing) -> ChangeDebouncing.Action
  ) -> Duration? {
    defer { streams.deliver() }
    return state.withLock { state in
      guard state.number == number else { return nil }
      switch decide(&state.debouncing) {
      case .none: return nil
      case .publish(let value):
        publish(value)
        return nil
      case .wait(let pause): return pause
      }
    }
  }

  /// Posts a state unless it is the latest one; called under the lock, in the order of the decisions.
  private func publish(_ value: NetworkState) {
    if streams.latest != value { streams.post(value) }
  }
}

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
