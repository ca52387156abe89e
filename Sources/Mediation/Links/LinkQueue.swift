/// Which link may be opened now and which one waits: the rules of the queue, without the waiting.
struct LinkQueue: Sendable {
  /// What happens to a link that arrives.
  enum Arrival: Sendable, Hashable {
    case enters
    case waits(dropping: Int?)
    case dropped
  }

  let queueing: LinkQueueing
  private(set) var isReady = false
  /// The tickets that wait, the oldest first.
  private(set) var waiting: [Int] = []
  /// The link from the queue that is being opened.
  private(set) var current: Int?

  init(_ queueing: LinkQueueing) { self.queueing = queueing }

  mutating func arrive(_ ticket: Int) -> Arrival {
    // Behind the last one of the queue nobody need wait: it has begun before.
    if isReady, waiting.isEmpty { return .enters }
    if waiting.count < queueing.limit {
      waiting.append(ticket)
      return .waits(dropping: nil)
    }
    switch queueing.overflow {
    case .dropNewest: return .dropped
    case .dropOldest:
      let dropped = waiting.removeFirst()
      waiting.append(ticket)
      return .waits(dropping: dropped)
    }
  }

  /// Lets links pass; the first one to open.
  mutating func ready() -> Int? {
    isReady = true
    return advance()
  }

  /// Lets links wait again; the one that is being opened is not touched.
  mutating func hold() { isReady = false }

  /// Notes that a link has been opened or has failed; the next one to open.
  mutating func end(_ ticket: Int) -> Int? {
    guard current == ticket else { return nil }
    current = nil
    return advance()
  }

  /// Takes a link out of the queue; whether it waited.
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
