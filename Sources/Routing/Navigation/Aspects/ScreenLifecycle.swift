/// Derives the life of screens from the states of the navigation, one after another.
///
/// It compares states and adds up times, and does nothing else: whatever a host calls or omits, the same
/// states have the same events. Of each transition the events come in this order: what was left from the top
/// down, what is covered, what was entered from the bottom up, what is uncovered. Tabs that are not selected
/// are below the selected one. A transition takes time linear in the number of entries.
package struct ScreenLifecycle: Sendable, Hashable {
  /// One event, by the identity of its entry.
  package struct Step: Sendable, Hashable {
    /// What happened.
    package let kind: ScreenEvent.Kind
    /// The entry.
    package let id: EntryID
    /// How long the entry has been on top in the foreground until now.
    package let timeOnScreen: Duration

    /// Creates a step.
    package init(_ kind: ScreenEvent.Kind, _ id: EntryID, _ timeOnScreen: Duration) {
      self.kind = kind
      self.id = id
      self.timeOnScreen = timeOnScreen
    }
  }

  private var state: NavigationState
  /// Whether the app is visible.
  package private(set) var isForeground = true
  /// The times of the entries that have been on top.
  private var times: [EntryID: Duration] = [:]
  /// The moment until which the time of the top entry is counted.
  private var counted = Duration.zero

  /// Starts with a state, whose entries have been entered before.
  package init(_ state: NavigationState = NavigationState()) { self.state = state }

  /// Compares the last state with the next one, and returns what happened to which screen.
  ///
  /// - Parameter moment: The time since any fixed moment; it must not decrease.
  package mutating func advance(to next: NavigationState, at moment: Duration) -> [Step] {
    count(until: moment)
    let (left, entered) = Self.differences(from: state, to: next)
    let (oldTop, newTop) = (state.top?.id, next.top?.id)
    state = next
    if left.isEmpty, entered.isEmpty, oldTop == newTop { return [] }
    var steps = left.map { Step(.left, $0, times.removeValue(forKey: $0) ?? .zero) }
    if let oldTop, oldTop != newTop, !left.contains(oldTop) {
      steps.append(Step(.covered, oldTop, times[oldTop] ?? .zero))
    }
    for id in entered {
      steps.append(Step(.entered, id, .zero))
      if id != newTop { steps.append(Step(.covered, id, .zero)) }
    }
    if let newTop, oldTop != newTop, !entered.contains(newTop) {
      steps.append(Step(.uncovered, newTop, times[newTop] ?? .zero))
    }
    return steps
  }

  /// Starts or stops counting time, because the app has become visible or is no longer visible.
  package mutating func setForeground(_ isForeground: Bool, at moment: Duration) {
    count(until: moment)
    self.isForeground = isForeground
  }

  /// Adds the time since the last count to that of the entry on top.
  private mutating func count(until moment: Duration) {
    let passed = max(.zero, moment - counted)
    counted = max(counted, moment)
    if isForeground, let top = state.top?.id { times[top, default: .zero] += passed }
  }

  /// Returns the entries that only the first state has, from the top down, and those that only the second one
  /// has, from the bottom up.
  private static func differences(
    from old: NavigationState, to new: NavigationState
  ) -> (left: [EntryID], entered: [EntryID]) {
    let tabs = (0..<max(old.tabs.count, new.tabs.count)).map {
      StackDifference(from: old.tabs.stack($0), to: new.tabs.stack($0))
    }
    let modals = (0..<max(old.modals.count, new.modals.count)).map {
      StackDifference(from: old.modals.element($0), to: new.modals.element($0))
    }
    // From the top down: presented stacks, the selected tab, the other tabs.
    func fromTheTop(selected: Int) -> [StackDifference] {
      let ranked = tabs.enumerated()
      return modals.reversed() + ranked.filter { $0.offset == selected }.map(\.element)
        + ranked.filter { $0.offset != selected }.map(\.element)
    }
    let gone = fromTheTop(selected: old.selectedIndex).flatMap(\.gone)
    let come = fromTheTop(selected: new.selectedIndex).reversed().flatMap(\.come)
    if gone.isEmpty || come.isEmpty { return (gone, come) }
    // What was moved up by what was inserted beneath it is neither.
    let (goneSet, comeSet) = (Set(gone), Set(come))
    return (gone.filter { !comeSet.contains($0) }, come.filter { !goneSet.contains($0) })
  }
}

/// What differs between two versions of a stack.
private struct StackDifference {
  /// The entries that only the first version has, or has elsewhere, from the top down.
  let gone: [EntryID]
  /// Those of the second version, from the bottom up.
  let come: [EntryID]

  init(from before: [NavigationEntry], to after: [NavigationEntry]) {
    // Stacks mostly change at their ends, so what they begin with in common is passed over.
    let common = zip(before, after).prefix { $0.id == $1.id }.count
    gone = before.dropFirst(common).reversed().map(\.id)
    come = after.dropFirst(common).map(\.id)
  }
}

extension [NavigationState.Tab] {
  /// The stack of a tab; empty if there is no such tab.
  fileprivate func stack(_ index: Int) -> [NavigationEntry] {
    indices.contains(index) ? self[index].stack : []
  }
}

extension [[NavigationEntry]] {
  /// A stack; empty if there is no such stack.
  fileprivate func element(_ index: Int) -> [NavigationEntry] { indices.contains(index) ? self[index] : [] }
}
