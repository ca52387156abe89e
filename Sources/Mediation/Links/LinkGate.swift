import Synchronization

/// Suspends the callers of `receive` by the rules of `LinkQueue`.
final class LinkGate: Sendable {
  /// The queued link whose opening the current task is part of.
  struct Membership: Sendable {
    /// The gate that issued the ticket; tickets of another mediator do not count.
    let owner: ObjectIdentifier
    let ticket: Int
  }

  // A task-local value, because code of an opened link calls `receive` of the mediator, which has no context.
  @TaskLocal static var membership: Membership?

  private enum Admission: Sendable {
    case enters
    case dropped
    case cancelled
  }

  private struct State {
    var queue: LinkQueue
    var serial = 0
    var waiting: [Int: CheckedContinuation<Admission, Never>] = [:]
  }

  private let state: Mutex<State>
  private let limit: Int

  init(_ policy: LinkQueuePolicy) {
    limit = policy.limit
    state = Mutex(State(queue: LinkQueue(policy)))
  }

  /// The number of waiting links.
  var count: Int { state.withLock { $0.queue.waiting.count } }

  /// Whether the task runs inside a queued link that is still being opened.
  ///
  /// Waiting there would be a deadlock.
  var isInside: Bool {
    guard let membership = Self.membership, membership.owner == ObjectIdentifier(self) else { return false }
    return state.withLock { $0.queue.current == membership.ticket }
  }

  /// Opens a link when its turn comes.
  ///
  /// - Parameter noteWait: Called before the link starts to wait, if it has to.
  func pass(
    noteWait: () -> Void, _ open: () async -> Result<Void, RouteError>
  ) async throws(RouteError) {
    let ticket = state.withLock { state in
      state.serial += 1
      return state.serial
    }
    switch await enter(ticket, noteWait) {
    case .enters: break
    case .dropped: throw .linkDropped(limit: limit)
    case .cancelled: throw .cancelled
    }
    let membership = Membership(owner: ObjectIdentifier(self), ticket: ticket)
    let result = await Self.$membership.withValue(membership) { await open() }
    admit { $0.end(ticket) }
    try result.get()
  }

  /// Opens the gate and admits the first waiting link.
  func ready() { admit { $0.ready() } }

  /// Closes the gate.
  func hold() { state.withLock { $0.queue.hold() } }

  private func enter(_ ticket: Int, _ noteWait: () -> Void) async -> Admission {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (arrival, dropped) = state.withLock { state in
          let arrival = state.queue.arrive(ticket)
          guard case .waits(let loser) = arrival else {
            return (arrival, nil as CheckedContinuation<Admission, Never>?)
          }
          state.waiting[ticket] = continuation
          return (arrival, loser.flatMap { state.waiting.removeValue(forKey: $0) })
        }
        dropped?.resume(returning: .dropped)
        switch arrival {
        case .enters: continuation.resume(returning: .enters)
        case .dropped: continuation.resume(returning: .dropped)
        case .waits:
          noteWait()
          // The cancellation handler may have run before the link was in the queue.
          if Task.isCancelled { leave(ticket) }
        }
      }
    } onCancel: {
      leave(ticket)
    }
  }

  private func admit(_ step: (inout LinkQueue) -> Int?) {
    let next = state.withLock { state in
      step(&state.queue).flatMap { state.waiting.removeValue(forKey: $0) }
    }
    next?.resume(returning: .enters)
  }

  private func leave(_ ticket: Int) {
    let leaver = state.withLock { state in
      state.queue.leave(ticket) ? state.waiting.removeValue(forKey: ticket) : nil
    }
    leaver?.resume(returning: .cancelled)
  }
}
