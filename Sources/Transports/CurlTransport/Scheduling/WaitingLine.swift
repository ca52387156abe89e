import Interception

/// The requests that wait for one origin, in the order in which they start.
struct WaitingLine {
  /// A request that waits; entries are ordered by their ranks.
  struct Entry: Comparable {
    let id: TransferID
    let rank: Rank
    let deadline: DispatchState.Deadline?
    let bytes: Int

    static func < (left: Entry, right: Entry) -> Bool { left.rank < right.rank }
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

  private var entries = IndexedHeap<TransferID, Entry>()

  var isEmpty: Bool { entries.isEmpty }
  var next: Entry? { entries.first?.rank }

  mutating func insert(_ entry: Entry) { entries.insert(entry.id, rank: entry) }

  mutating func removeNext() -> Entry? { next.flatMap { remove($0.id) } }

  mutating func remove(_ id: TransferID) -> Entry? { entries.remove(id) }

  /// Removes all entries, and returns them in order.
  mutating func removeAll() -> [Entry] {
    defer { entries = IndexedHeap() }
    return entries.ranks
  }
}

/// The identity of one transfer; each attempt of a request has its own.
struct TransferID: Sendable, Hashable {
  let number: UInt64
}
