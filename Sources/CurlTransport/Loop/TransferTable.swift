/// What is known of transfers by their identities.
///
/// Identities are given out in order. A multiple of the golden ratio spreads such numbers evenly over the places, so
/// that finding, adding and removing meet few others on their way; they never fail.
struct TransferTable<Value> {
  private var slots: [(number: UInt64, value: Value)?] = .init(repeating: nil, count: 64)
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// All values, in no order.
  var values: [Value] { slots.compactMap { $0?.value } }

  /// All identities, in no order.
  var ids: [TransferID] { slots.compactMap { $0.map { TransferID(number: $0.number) } } }

  subscript(id: TransferID) -> Value? { place(of: id.number).flatMap { slots[$0]?.value } }

  /// Adds a value under an identity that is not in use.
  mutating func insert(_ value: Value, for id: TransferID) {
    if count * 2 >= slots.count { grow() }
    put(value, number: id.number)
    count += 1
  }

  /// Takes a value out.
  @discardableResult
  mutating func remove(_ id: TransferID) -> Value? {
    guard var hole = place(of: id.number) else { return nil }
    let value = slots[hole]?.value
    slots[hole] = nil
    count -= 1
    // Those that had to step aside move up, so that a search can stop at the first empty slot.
    var index = next(hole)
    while let entry = slots[index] {
      let home = home(of: entry.number)
      let fromHome = (index - home) & (slots.count - 1)
      let fromHole = (index - hole) & (slots.count - 1)
      if fromHome >= fromHole {
        slots[hole] = entry
        slots[index] = nil
        hole = index
      }
      index = next(index)
    }
    return value
  }

  private func home(of number: UInt64) -> Int {
    Int(truncatingIfNeeded: (number &* 0x9E37_79B9_7F4A_7C15) >> 32) & (slots.count - 1)
  }

  private func next(_ index: Int) -> Int { (index + 1) & (slots.count - 1) }

  private func place(of number: UInt64) -> Int? {
    var index = home(of: number)
    while let entry = slots[index] {
      if entry.number == number { return index }
      index = next(index)
    }
    return nil
  }

  private mutating func put(_ value: Value, number: UInt64) {
    var index = home(of: number)
    while slots[index] != nil { index = next(index) }
    slots[index] = (number, value)
  }

  private mutating func grow() {
    let old = slots
    slots = .init(repeating: nil, count: old.count * 2)
    for case let (number, value)? in old { put(value, number: number) }
  }
}
