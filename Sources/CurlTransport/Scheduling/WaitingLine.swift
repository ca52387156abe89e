import Interception

/// Those that wait for one origin, in the order in which they may go.
struct WaitingLine {
  struct Entry {
    let id: TransferID
    let rank: Rank
    let deadline: DispatchState.Deadline?
    /// The memory that the request holds.
    let bytes: Int
  }

  /// A place in the order; the smaller one goes first.
  ///
  /// A priority twice as high is worth as much as one `ageing` of waiting. Both grow by the same clock, so
  /// the rank is fixed on arrival: the arrival's time less what the priority is worth.
  struct Rank: Comparable {
    let time: Duration
    let number: UInt64

    init(arrival: Duration, priority: RequestOptions.Priority, ageing: Duration, number: UInt64) {
      // Linear between powers of two: exact enough for an order, and free of a mathematics library.
      let doublings = Int.bitWidth - 1 - priority.weight.leadingZeroBitCount
      let rest = Double(priority.weight) / Double(1 << doublings) - 1
      time = arrival - ageing * (Double(doublings) + rest)
      self.number = number
    }

    static func < (left: Rank, right: Rank) -> Bool { (left.time, left.number) < (right.time, right.number) }
  }

  // The next one is the last element, so that taking it moves nothing.
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
    let expired = entries.filter { entry in entry.deadline.map { $0.time <= now } ?? false }
    guard !expired.isEmpty else { return [] }
    entries.removeAll { entry in entry.deadline.map { $0.time <= now } ?? false }
    return expired.reversed()
  }

  mutating func removeAll() -> [Entry] {
    defer { entries = [] }
    return all
  }
}
