/// The screens made so far by a restoration, by place.
struct RestoringWork {
  private(set) var adoption = NavigationState.Adoption()
  /// The screens that have a place, those of the tabs first.
  private(set) var screens: [RestoringStage.Held] = []
  private(set) var faults: [NavigationRestoration.Fault] = []
  /// The entries that lost their places.
  private(set) var removed: [EntryID] = []
  /// The names of the entries in the snapshot.
  var names: [EntryID: String] = [:]

  mutating func fail(_ entry: NavigationSnapshot.Entry, _ reason: NavigationRestoration.Reason) {
    faults.append(NavigationRestoration.Fault(name: entry.name, reason: reason))
  }

  mutating func put(_ held: RestoringStage.Held, tab: Int) {
    adoption.tabs[tab, default: []].append(held.entry)
    screens.append(held)
  }

  mutating func beginModal() { adoption.modals.append([]) }

  mutating func putModal(_ held: RestoringStage.Held) {
    adoption.modals[adoption.modals.count - 1].append(held.entry)
    screens.append(held)
  }

  mutating func select(_ index: Int?) {
    adoption.selectedIndex = index
    adoption.modals.removeAll(where: \.isEmpty)
  }

  /// Removes an entry from its place and records the reason.
  mutating func remove(_ id: EntryID, _ reason: NavigationRestoration.Reason) {
    for tab in adoption.tabs.keys { adoption.tabs[tab]?.removeAll { $0.id == id } }
    for level in adoption.modals.indices { adoption.modals[level].removeAll { $0.id == id } }
    adoption.modals.removeAll(where: \.isEmpty)
    screens.removeAll { $0.entry.id == id }
    removed.append(id)
    faults.append(NavigationRestoration.Fault(name: names[id] ?? id.description, reason: reason))
  }
}
