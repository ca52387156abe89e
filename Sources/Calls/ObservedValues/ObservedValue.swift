import Observation
import Synchronization

/// A value that any thread changes and a screen reads on the main actor.
///
/// Readers that `Observation` tracks are notified on the main actor, once for all changes until then. Between
/// two notifications they read the same value, however often it changes meanwhile. The value retains no
/// reader.
package final class ObservedValue<Value: Sendable & Equatable>: Observable, Sendable {
  private struct State {
    /// The value that is read on the main actor.
    var shown: Value
    var latest: Value
    /// Whether the main actor has yet to take over the latest value.
    var isScheduled = false
  }

  private let state: Mutex<State>
  private let registrar = ObservationRegistrar()

  /// Creates an observed value.
  package init(_ value: Value) { state = Mutex(State(shown: value, latest: value)) }

  /// The value, which `Observation` tracks.
  @MainActor package var value: Value {
    registrar.access(self, keyPath: \.value)
    return state.withLock { $0.shown }
  }

  /// Changes the value; a function that has no effect notifies no reader.
  ///
  /// - Parameter change: Changes the latest value. It is called under a lock: what it reads is as new as any
  ///   change before.
  package func update(_ change: (inout Value) -> Void) {
    let isFirst = state.withLock { state in
      change(&state.latest)
      guard state.latest != state.shown, !state.isScheduled else { return false }
      state.isScheduled = true
      return true
    }
    guard isFirst else { return }
    Task { @MainActor [weak self] in self?.show() }
  }

  @MainActor private func show() {
    let isChanged = state.withLock { state in
      state.isScheduled = false
      return state.latest != state.shown
    }
    // The value may have been changed back meanwhile.
    guard isChanged else { return }
    registrar.withMutation(of: self, keyPath: \.value) {
      state.withLock { $0.shown = $0.latest }
    }
  }
}
