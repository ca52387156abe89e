import Synchronization

/// Serializes the delivery of life-cycle events in the order of the calls.
final class DeliveryQueue: Sendable {
  private struct State {
    var isBusy = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  /// The queues whose event the current task is handling.
  // A task-local value, because a listener delivers an event through the mediator, which has no context.
  @TaskLocal static var entered: Set<ObjectIdentifier> = []

  private let state = Mutex(State())

  /// Runs work after all earlier work has finished; nested work runs at once, because it would wait for
  /// itself.
  func run<T>(_ work: () async -> T) async -> T {
    let id = ObjectIdentifier(self)
    if Self.entered.contains(id) { return await work() }
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.isBusy { state.waiting.append(continuation) }
        defer { state.isBusy = true }
        return !state.isBusy
      }
      if isFree { continuation.resume() }
    }
    let result = await Self.$entered.withValue(Self.entered.union([id])) { await work() }
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.waiting.isEmpty {
        state.isBusy = false
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
    return result
  }
}
