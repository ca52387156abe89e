extension NavigationState {
  /// Stacks that come back from a saved state.
  struct Adoption: Sendable {
    /// The entries for each tab, by its index.
    var tabs: [Int: [NavigationEntry]] = [:]
    var selectedIndex: Int?
    /// The presented stacks, the topmost last; none is empty.
    var modals: [[NavigationEntry]] = []
  }

  /// Puts stacks beneath what is shown; the changes, and the presented stacks that had no place.
  ///
  /// What was shown in the meantime stays on top and its tab selected. Presented stacks come back only if
  /// nothing was shown, for they would cover it.
  mutating func adopt(_ adoption: Adoption) -> (changes: [NavigationChange], covered: [NavigationEntry]) {
    let isFree = count == 0
    var restored: [NavigationEntry] = []
    for index in tabs.indices {
      guard let entries = adoption.tabs[index], !entries.isEmpty else { continue }
      tabs[index].stack.insert(contentsOf: entries, at: 0)
      restored += entries
    }
    var changes: [NavigationChange] = []
    if isFree {
      modals = adoption.modals
      restored += modals.flatMap(\.self)
      if let index = adoption.selectedIndex, index != selectedIndex {
        selectedIndex = index
        changes.append(.selected(tab: tabs[index].name))
      }
    }
    if !restored.isEmpty { changes.append(.restored(restored)) }
    return (changes, isFree ? [] : adoption.modals.flatMap(\.self))
  }
}
