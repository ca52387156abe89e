import Navigation

/// An independent oracle of the life of screens: it watches from second to second what is on top, and checks
/// the events against what it saw.
struct ScreenLifecycleModel {
  private struct Life {
    var last: ScreenEvent.Kind
    var seconds = 0
  }

  private var lives: [Int: Life] = [:]
  /// The entries that have been entered and left.
  private(set) var ended: Set<Int> = []
  private var shown: [Int] = []
  private(set) var top: Int?
  var isForeground = true

  /// Counts time on top, second by second.
  mutating func wait(_ seconds: Int) {
    for _ in 0..<seconds {
      if isForeground, let top { lives[top]?.seconds += 1 }
    }
  }

  /// Checks the events of a transition; returns the first fault.
  ///
  /// - Parameter entries: All entries from the bottom up.
  mutating func check(
    _ events: [(kind: ScreenEvent.Kind, id: Int, seconds: Int)], reaching entries: [Int], top newTop: Int?
  ) -> String? {
    for (kind, id, seconds) in events {
      let event = "\(id) \(kind) at \(seconds) s"
      let last = lives[id]?.last
      switch kind {
      case .entered:
        if last != nil || ended.contains(id) { return "\(event): entered twice" }
        if shown.contains(id) || !entries.contains(id) { return "\(event): it is not new" }
        lives[id] = Life(last: .entered)
      case .covered:
        if last != .entered, last != .uncovered { return "\(event): it was not on top" }
        if id == newTop { return "\(event): it is on top" }
        lives[id]?.last = .covered
      case .uncovered:
        if last != .covered { return "\(event): it was not covered" }
        if id != newTop { return "\(event): it is not on top" }
        lives[id]?.last = .uncovered
      case .left:
        if last == nil { return "\(event): it was not entered" }
        if entries.contains(id) { return "\(event): it is still there" }
        ended.insert(id)
      }
      if lives[id]?.seconds != seconds { return "\(event): it was on top for \(lives[id]?.seconds ?? -1) s" }
      if kind == .left { lives[id] = nil }
    }
    // Nothing is missing.
    if Set(lives.keys) != Set(entries) { return "open are \(lives.keys.sorted()), not \(entries.sorted())" }
    for (id, life) in lives where (life.last != .covered) != (id == newTop) {
      return "\(id) is \(life.last), and \(newTop ?? 0) is on top"
    }
    let ordered = order(reaching: entries, top: newTop)
    let order = events.map { "\($0.id) \($0.kind)" }
    if order != ordered { return "\(order) instead of \(ordered)" }
    (shown, top) = (entries, newTop)
    return nil
  }

  /// What leaves comes first, from the top down; then what is covered; then what enters, from the bottom up,
  /// each covered immediately if it is not on top; and at last what is uncovered.
  private func order(reaching entries: [Int], top newTop: Int?) -> [String] {
    var order = shown.reversed().filter { !entries.contains($0) }.map { "\($0) left" }
    if let top, top != newTop, entries.contains(top) { order.append("\(top) covered") }
    for id in entries where !shown.contains(id) {
      order.append("\(id) entered")
      if id != newTop { order.append("\(id) covered") }
    }
    if let newTop, newTop != top, shown.contains(newTop) { order.append("\(newTop) uncovered") }
    return order
  }
}
