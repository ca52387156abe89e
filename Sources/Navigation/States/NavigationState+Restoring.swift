extension NavigationState {
  /// The stacks of a saved state.
  struct RestoredStacks: Sendable {
    /// The entries of each tab, by the tab's index.
    var tabs: [Int: [NavigationEntry]] = [:]
    var selectedIndex: Int?
    /// The presented stacks, none of them empty; the topmost is last.
    var modals: [[NavigationEntry]] = []
  }

  /// Inserts stacks beneath what is shown; returns the changes, and the entries of presented stacks that
  /// are not inserted.
  ///
  /// What was shown in the meantime stays on top and its tab stays selected. Presented stacks are restored
  /// only if nothing is shown, because they would cover it.
  mutating func insertRestored(_ stacks: RestoredStacks) -> (
    changes: [NavigationChange], covered: [NavigationEntry]
  ) {
    let isFree = count == 0
    var restored: [NavigationEntry] = []
    for index in tabs.indices {
      guard let entries = stacks.tabs[index], !entries.isEmpty else { continue }
      tabs[index].stack.insert(contentsOf: entries, at: 0)
      restored += entries
    }
    var changes: [NavigationChange] = []
    if isFree {
      modals = stacks.modals
      restored += modals.flatMap(\.self)
      if let index = stacks.selectedIndex, index != selectedIndex {
        selectedIndex = index
        changes.append(.selected(tab: tabs[index].name))
      }
    }
    if !restored.isEmpty { changes.append(.restored(restored)) }
    return (changes, isFree ? [] : stacks.modals.flatMap(\.self))
  }
}
