import Interception
import Synchronization

/// What a monitor's task uses; it doesn't retain the monitor, so that a released monitor ends its task.
final class MonitorRun: Sendable {
  private struct State {
    var debouncing: ChangeDebouncing
    /// The number of the latest run; a former run no longer publishes.
    var number: UInt64 = 0
  }

  let streams = StateStreams(.unknown)
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

  /// Ends the current run.
  func end() {
    state.withLock { state in
      state.number += 1
      publish(.unknown)
    }
  }

  /// Publishes the states of a source until it ends or the task is cancelled.
  func follow(_ states: AsyncStream<NetworkState>, as number: UInt64) async {
    await withDiscardingTaskGroup { group in
      for await state in states {
        let now = time.now()
        if let pause = perform(as: number, { $0.receive(state, at: now) }) {
          group.addTask { await self.settle(after: pause, as: number) }
        }
      }
      group.cancelAll()
    }
    state.withLock { state in
      if state.number == number { publish(.unknown) }
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
    state.withLock { state in
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

  /// Sends a state unless it is the latest one; called under the lock, in the order of the decisions.
  private func publish(_ value: NetworkState) {
    if streams.latest != value { streams.send(value) }
  }
}
