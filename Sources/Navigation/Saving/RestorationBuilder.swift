/// The screens made so far by a restoration, by tab and stack.
struct RestorationBuilder {
  private(set) var stacks = NavigationState.RestoredStacks()
  /// The screens that have a place, those of the tabs first.
  private(set) var screens: [PendingScreens.Held] = []
  private(set) var faults: [NavigationSnapshot.Restoration.Fault] = []
  /// The entries that lost their places.
  private(set) var removed: [EntryID] = []
  /// The names of the entries in the snapshot.
  var names: [EntryID: String] = [:]

  mutating func fail(_ entry: NavigationSnapshot.Entry, _ reason: NavigationSnapshot.Restoration.Reason) {
    faults.append(NavigationSnapshot.Restoration.Fault(name: entry.name, reason: reason))
  }

  mutating func put(_ held: PendingScreens.Held, tab: Int) {
    stacks.tabs[tab, default: []].append(held.entry)
    screens.append(held)
  }

  mutating func beginModal() { stacks.modals.append([]) }

  mutating func putModal(_ held: PendingScreens.Held) {
    stacks.modals[stacks.modals.count - 1].append(held.entry)
    screens.append(held)
  }

  mutating func select(_ index: Int?) {
    stacks.selectedIndex = index
    stacks.modals.removeAll(where: \.isEmpty)
  }

  /// Removes an entry from its place and records the reason.
  mutating func remove(_ id: EntryID, _ reason: NavigationSnapshot.Restoration.Reason) {
    for tab in stacks.tabs.keys { stacks.tabs[tab]?.removeAll { $0.id == id } }
    for level in stacks.modals.indices { stacks.modals[level].removeAll { $0.id == id } }
    stacks.modals.removeAll(where: \.isEmpty)
    screens.removeAll { $0.entry.id == id }
    removed.append(id)
    faults.append(NavigationSnapshot.Restoration.Fault(name: names[id] ?? id.description, reason: reason))
  }
}
