/// A priority queue from which any element can be removed: each operation takes logarithmic time.
struct IndexedHeap<Key: Hashable, Rank: Comparable> {
  private var elements: [(key: Key, rank: Rank)] = []
  private var positions: [Key: Int] = [:]

  var isEmpty: Bool { elements.isEmpty }
  var count: Int { elements.count }
  /// All ranks, by increasing rank.
  var ranks: [Rank] { elements.map(\.rank).sorted() }
  /// The element with the smallest rank.
  var first: (key: Key, rank: Rank)? { elements.first }

  /// Inserts an element, or changes its rank.
  mutating func insert(_ key: Key, rank: Rank) {
    guard let position = positions[key] else {
      elements.append((key, rank))
      positions[key] = elements.count - 1
      return raise(elements.count - 1)
    }
    elements[position].rank = rank
    settle(position)
  }

  /// Removes an element, and returns its rank; nil if there is none.
  @discardableResult
  mutating func remove(_ key: Key) -> Rank? {
    guard let position = positions.removeValue(forKey: key) else { return nil }
    let last = elements.removeLast()
    guard position < elements.count else { return last.rank }
    let removed = elements[position].rank
    elements[position] = last
    positions[last.key] = position
    settle(position)
    return removed
  }

  /// Moves an element whose rank has changed to its place.
  private mutating func settle(_ position: Int) {
    let key = elements[position].key
    raise(position)
    if let position = positions[key] { lower(position) }
  }

  private mutating func raise(_ start: Int) {
    var position = start
    while position > 0, elements[position].rank < elements[(position - 1) / 2].rank {
      exchange(position, (position - 1) / 2)
      position = (position - 1) / 2
    }
  }

  private mutating func lower(_ start: Int) {
    var position = start
    while true {
      var least = position
      for child in [2 * position + 1, 2 * position + 2]
      where child < elements.count && elements[child].rank < elements[least].rank {
        least = child
      }
      guard least != position else { return }
      exchange(position, least)
      position = least
    }
  }

  private mutating func exchange(_ first: Int, _ second: Int) {
    elements.swapAt(first, second)
    positions[elements[first].key] = first
    positions[elements[second].key] = second
  }
}
