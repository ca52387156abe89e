import Interception
import Synchronization

/// Holds requests back until a test releases them; it never sleeps.
final class Gate: Sendable {
  private struct Held {
    let request: RequestID
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var held: [Held] = []
    var cancelled: Set<RequestID> = []
    var cancellations = 0
    var watchers:
      [(isSatisfied: @Sendable (Int, Int) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []

    mutating func takeSatisfied() -> [CheckedContinuation<Void, Never>] {
      let satisfied = watchers.filter { $0.isSatisfied(held.count, cancellations) }
      watchers.removeAll { $0.isSatisfied(held.count, cancellations) }
      return satisfied.map(\.continuation)
    }
  }

  private let state = Mutex(State())

  /// Suspends until the test releases the request.
  func pass(_ request: Request) async throws(NetworkError) {
    let isThrough = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (isCancelled, watchers) = state.withLock { state in
          let isCancelled = state.cancelled.contains(request.id)
          if !isCancelled { state.held.append(Held(request: request.id, continuation: continuation)) }
          return (isCancelled, state.takeSatisfied())
        }
        if isCancelled { continuation.resume(returning: false) }
        for watcher in watchers { watcher.resume() }
      }
    } onCancel: {
      let (held, watchers) = state.withLock { state in
        state.cancelled.insert(request.id)
        state.cancellations += 1
        let held = state.held.first { $0.request == request.id }
        state.held.removeAll { $0.request == request.id }
        return (held, state.takeSatisfied())
      }
      held?.continuation.resume(returning: false)
      for watcher in watchers { watcher.resume() }
    }
    guard isThrough else { throw NetworkError(.cancelled(.task), "The request was cancelled.") }
  }

  /// Returns when at least `count` requests are held at the same time.
  func waitForHeld(_ count: Int) async { await wait { held, _ in held >= count } }

  /// Returns when at least `count` requests have been cancelled.
  func waitForCancellations(_ count: Int) async { await wait { _, cancellations in cancellations >= count } }

  /// Releases one request.
  func open(_ request: RequestID) {
    let held = state.withLock { state in
      let held = state.held.first { $0.request == request }
      state.held.removeAll { $0.request == request }
      return held
    }
    held?.continuation.resume(returning: true)
  }

  /// Whether a request is held.
  func isHeld(_ request: RequestID) -> Bool {
    state.withLock { state in state.held.contains { $0.request == request } }
  }

  /// Whether a request was cancelled.
  func wasCancelled(_ request: RequestID) -> Bool { state.withLock { $0.cancelled.contains(request) } }

  /// Releases all held requests, in the order that the test chooses.
  func openAll(_ order: ([RequestID]) -> [RequestID] = { $0 }) {
    for request in order(state.withLock { $0.held.map(\.request) }) { open(request) }
  }

  private func wait(_ isSatisfied: @escaping @Sendable (Int, Int) -> Bool) async {
    await withCheckedContinuation { continuation in
      let watchers = state.withLock { state in
        state.watchers.append((isSatisfied, continuation))
        return state.takeSatisfied()
      }
      for watcher in watchers { watcher.resume() }
    }
  }
}

extension Gate {
  /// Releases a request; returns false if it is neither held nor cancelled yet.
  func tryOpen(_ request: RequestID) -> Bool {
    if isHeld(request) {
      open(request)
      return true
    }
    return wasCancelled(request)
  }
}
