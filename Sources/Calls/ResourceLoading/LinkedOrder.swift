/// Elements in the order in which they were appended; each operation takes constant time.
struct LinkedOrder<Element: Hashable> {
  private struct Link {
    var previous: Element?
    var next: Element?
  }

  private var links: [Element: Link] = [:]
  /// The element that was appended first.
  private(set) var first: Element?
  /// The element that was appended last.
  private(set) var last: Element?

  /// The number of elements.
  var count: Int { links.count }

  /// Returns whether an element is in the order.
  func contains(_ element: Element) -> Bool { links[element] != nil }

  /// Appends an element, which leaves its former place.
  mutating func append(_ element: Element) {
    remove(element)
    if let last { links[last]?.next = element }
    links[element] = Link(previous: last, next: nil)
    if first == nil { first = element }
    last = element
  }

  /// Removes an element; returns whether it was in the order.
  @discardableResult
  mutating func remove(_ element: Element) -> Bool {
    guard let link = links.removeValue(forKey: element) else { return false }
    if let previous = link.previous { links[previous]?.next = link.next } else { first = link.next }
    if let next = link.next { links[next]?.previous = link.previous } else { last = link.previous }
    return true
  }
}

/// Work that waits: what is visible, the last asked first, before what is prefetched, the first asked first.
struct PriorityLine<Element: Hashable> {
  private var visible = LinkedOrder<Element>()
  private var prefetched = LinkedOrder<Element>()

  /// Places an element: a visible one before all others, a prefetched one behind them.
  ///
  /// A prefetched one that waits already keeps its place.
  mutating func place(_ element: Element, isVisible: Bool) {
    if isVisible {
      prefetched.remove(element)
      visible.append(element)
    } else {
      visible.remove(element)
      if !prefetched.contains(element) { prefetched.append(element) }
    }
  }

  /// Removes an element, if it waits.
  mutating func remove(_ element: Element) { if !visible.remove(element) { prefetched.remove(element) } }

  /// Takes the visible element that was asked for last.
  mutating func takeVisible() -> Element? {
    guard let element = visible.last else { return nil }
    visible.remove(element)
    return element
  }

  /// Takes the prefetched element that waits for the longest time.
  mutating func takePrefetched() -> Element? {
    guard let element = prefetched.first else { return nil }
    prefetched.remove(element)
    return element
  }
}
