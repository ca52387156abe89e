import Interception

/// The requests that wait for one origin, in the order in which they start.
struct WaitingLine {
  struct Entry {
    let id: TransferID
    let rank: Rank
    let deadline: DispatchState.Deadline?
    let bytes: Int

    func isExpired(at now: Duration) -> Bool { deadline.map { $0.time <= now } ?? false }
  }

  /// A position in the order; smaller ranks start first.
  ///
  /// Doubling the priority counts as much as waiting for one `ageing`. All ranks age alike, so a rank is
  /// fixed on arrival.
  struct Rank: Comparable {
    let time: Duration
    let number: UInt64

    init(arrival: Duration, priority: RequestOptions.Priority, ageing: Duration, number: UInt64) {
      // A piecewise linear log2, precise enough for an order and without a mathematics library.
      let doublings = Int.bitWidth - 1 - priority.weight.leadingZeroBitCount
      let rest = Double(priority.weight) / Double(1 << doublings) - 1
      time = arrival - ageing * (Double(doublings) + rest)
      self.number = number
    }

    static func < (left: Rank, right: Rank) -> Bool { (left.time, left.number) < (right.time, right.number) }
  }

  // In reverse, so that removing the next one moves no other.
  private var entries: [Entry] = []

  var isEmpty: Bool { entries.isEmpty }
  var next: Entry? { entries.last }
  var all: [Entry] { entries.reversed() }

  mutating func insert(_ entry: Entry) {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].rank > entry.rank { low = middle + 1 } else { high = middle }
    }
    entries.insert(entry, at: low)
  }

  mutating func removeNext() -> Entry? { entries.popLast() }

  mutating func remove(_ id: TransferID) -> Entry? {
    entries.lastIndex { $0.id == id }.map { entries.remove(at: $0) }
  }

  mutating func removeExpired(at now: Duration) -> [Entry] {
    let expired = all.filter { $0.isExpired(at: now) }
    if !expired.isEmpty { entries.removeAll { $0.isExpired(at: now) } }
    return expired
  }

  mutating func removeAll() -> [Entry] {
    defer { entries = [] }
    return all
  }
}

/// The identity of one transfer; each attempt of a request has its own.
struct TransferID: Sendable, Hashable {
  let number: UInt64
}
