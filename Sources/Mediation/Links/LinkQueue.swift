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
