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
    /// The links that are being opened, and whether each came through the queue.
    var opening: [Int: Bool] = [:]

    /// Takes the continuation of the link whose turn has come.
    mutating func admit(_ ticket: Int?) -> CheckedContinuation<Admission, Never>? {
      guard let ticket, let continuation = waiting.removeValue(forKey: ticket) else { return nil }
      opening[ticket] = true
      return continuation
    }
  }

  private let state: Mutex<State>
  private let limit: Int
  /// Which of two links that wait for the same answer of the user is dropped.
  let overflow: LinkQueuePolicy.Overflow

  init(_ policy: LinkQueuePolicy) {
    limit = policy.limit
    overflow = policy.overflow
    state = Mutex(State(queue: LinkQueue(policy)))
  }

  /// The number of waiting links.
  var count: Int { state.withLock { $0.queue.waiting.count } }

  /// Whether the task runs inside a queued link that is still being opened.
  ///
  /// Waiting there would be a deadlock.
  var isInside: Bool { ownTicket.map { ticket in state.withLock { $0.opening[ticket] == true } } ?? false }

  /// The ticket of the link that the task opens; nil if that link has ended, because a task can outlive it.
  var link: Int? {
    ownTicket.flatMap { ticket in state.withLock { $0.opening[ticket] != nil } ? ticket : nil }
  }

  private var ownTicket: Int? {
    guard let membership = Self.membership, membership.owner == ObjectIdentifier(self) else { return nil }
    return membership.ticket
  }

  /// Ends the turn of the link that the task opens, because the link waits for the user from now on.
  ///
  /// The link is opened on without a turn. Does nothing if the link has none.
  func endTurn() {
    guard let ticket = ownTicket else { return }
    admit { $0.end(ticket) }
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
    admit(closing: ticket) { $0.end(ticket) }
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
          if arrival == .enters { state.opening[ticket] = false }
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

  private func admit(closing ended: Int? = nil, _ step: (inout LinkQueue) -> Int?) {
    let next = state.withLock { state in
      if let ended { state.opening[ended] = nil }
      return state.admit(step(&state.queue))
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

/// Decides which link may be opened now and which one waits.
///
/// Pure state, without the waiting itself.
struct LinkQueue: Sendable {
  /// What happens to a link that arrives.
  enum Arrival: Sendable, Hashable {
    case enters
    case waits(dropping: Int?)
    case dropped
  }

  let policy: LinkQueuePolicy
  private(set) var isReady = false
  /// The waiting tickets, oldest first.
  private(set) var waiting: [Int] = []
  /// The queued link that is being opened.
  private(set) var current: Int?

  init(_ policy: LinkQueuePolicy) { self.policy = policy }

  mutating func arrive(_ ticket: Int) -> Arrival {
    // The last link of the queue may still be opening; a new one does not wait for it.
    if isReady, waiting.isEmpty { return .enters }
    if waiting.count < policy.limit {
      waiting.append(ticket)
      return .waits(dropping: nil)
    }
    switch policy.overflow {
    case .dropNewest: return .dropped
    case .dropOldest:
      let dropped = waiting.removeFirst()
      waiting.append(ticket)
      return .waits(dropping: dropped)
    }
  }

  /// Admits links from now on, and returns the first one to open.
  mutating func ready() -> Int? {
    isReady = true
    return advance()
  }

  /// Makes links wait again; the link that is being opened is not affected.
  mutating func hold() { isReady = false }

  /// Records that a link was opened or failed, and returns the next one to open.
  mutating func end(_ ticket: Int) -> Int? {
    guard current == ticket else { return nil }
    current = nil
    return advance()
  }

  /// Removes a link from the queue, and returns whether it was waiting.
  mutating func leave(_ ticket: Int) -> Bool {
    guard let index = waiting.firstIndex(of: ticket) else { return false }
    waiting.remove(at: index)
    return true
  }

  private mutating func advance() -> Int? {
    guard isReady, current == nil, !waiting.isEmpty else { return nil }
    let next = waiting.removeFirst()
    current = next
    return next
  }
}
