import Synchronization

/// Hands the result of a request to the `async` caller that sent it, directly from Swift's pool.
///
/// The caller is resumed on the main actor, and finishes the request there. To finish it first and to resume
/// the caller then would cost another pass through the main actor's queue.
final class ResultHandoff<Value: Sendable>: Sendable {
  /// What the caller receives.
  enum Outcome: Sendable {
    /// The request's result; the caller finishes the request.
    case received(Value)
    /// The request is finished, or the caller's wait was ended, with this result.
    case concluded(Value)
  }

  typealias Waiter = CheckedContinuation<Outcome, Never>

  private enum State {
    case idle
    case waiting(Waiter)
    case received(Value)
    /// The caller has been resumed with the request's result.
    case taken
    case concluded(Value)
  }

  private let state = Mutex(State.idle)

  /// Resumes the caller with the request's result, now or as soon as it waits.
  ///
  /// - Returns: false if the caller's wait has been ended, so that the request is finished without it.
  func receive(_ value: Value) -> Bool {
    let (waiter, isAccepted): (Waiter?, Bool) = state.withLock { state in
      switch state {
      case .idle:
        state = .received(value)
        return (nil, true)
      case .waiting(let waiter):
        state = .taken
        return (waiter, true)
      case .received, .taken, .concluded: return (nil, false)
      }
    }
    waiter?.resume(returning: .received(value))
    return isAccepted
  }

  /// Lets the caller wait.
  func wait(_ waiter: Waiter) {
    let outcome: Outcome? = state.withLock { state in
      switch state {
      case .received(let value):
        state = .taken
        return .received(value)
      case .concluded(let value): return .concluded(value)
      case .idle, .waiting, .taken:
        state = .waiting(waiter)
        return nil
      }
    }
    if let outcome { waiter.resume(returning: outcome) }
  }

  /// Ends the caller's wait.
  ///
  /// It is called on the main actor, which the caller doesn't leave between sending and waiting, so that no
  /// result is lost that was received before the wait. It has no effect on a wait that has been
  /// ended before.
  func conclude(_ value: Value) {
    let waiter: Waiter? = state.withLock { state in
      switch state {
      case .waiting(let waiter):
        state = .concluded(value)
        return waiter
      case .idle, .received, .taken:
        state = .concluded(value)
        return nil
      case .concluded: return nil
      }
    }
    waiter?.resume(returning: .concluded(value))
  }

  /// The value with which the wait was ended, or nil.
  var conclusion: Value? {
    state.withLock { state in if case .concluded(let value) = state { value } else { nil } }
  }
}
