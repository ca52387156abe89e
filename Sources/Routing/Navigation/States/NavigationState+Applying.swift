extension NavigationState {
  /// Applies a command and returns the changes in the order in which a host should show them.
  ///
  /// - Throws: `NavigationError`; the state is unchanged then.
  package mutating func apply(_ command: NavigationCommand) throws(NavigationError) -> [NavigationChange] {
    switch command {
    case .show(let entry, let presentation): return try show(entry, presentation)
    case .pop: return try pop()
    case .popTo(let id):
      guard let index = currentLayer.firstIndex(where: { $0.id == id }) else { throw .unknownEntry(id) }
      return removed(cut(to: index + 1))
    case .popToRoot:
      guard !currentLayer.isEmpty else { throw .nothingBelow }
      return removed(cut(to: 1))
    case .dismiss:
      guard let stack = modals.popLast() else { throw .nothingPresented }
      return removed(stack.reversed())
    case .dismissAll:
      guard !modals.isEmpty else { throw .nothingPresented }
      return removed(dropModals(above: 0))
    case .close(let id): return try close(id)
    case .closeAll: return closeAll()
    case .select(let name): return try select(name)
    case .reveal(let id): return try reveal(id)
    }
  }

  private mutating func show(
    _ entry: NavigationEntry, _ presentation: Presentation
  ) throws(NavigationError) -> [NavigationChange] {
    if self.entry(entry.id) != nil { throw .repeatedEntry(entry.id) }
    if count >= limit, !makesRoom(presentation) { throw .full(limit: limit) }
    switch presentation {
    case .push:
      currentLayer.append(entry)
      return [.pushed(entry)]
    case .present:
      modals.append([entry])
      return [.presented(entry)]
    case .replace:
      guard let old = currentLayer.popLast() else { return try show(entry, .push) }
      currentLayer.append(entry)
      return [.replaced(old, by: entry)]
    case .root:
      let gone = dropModals(above: 0) + cut(to: 0)
      currentLayer = [entry]
      return removed(gone) + [.rooted(entry)]
    case .tab(let name):
      let changes = try select(name)
      return try changes + show(entry, .push)
    }
  }

  /// Whether an entry that is presented in this way replaces at least one other.
  private func makesRoom(_ presentation: Presentation) -> Bool {
    switch presentation {
    case .push, .present: false
    // Selecting the tab dismisses the presented stacks.
    case .tab: !modals.isEmpty
    case .replace: !currentLayer.isEmpty
    case .root: !modals.isEmpty || !tabs[selectedIndex].stack.isEmpty
    }
  }

  private mutating func pop() throws(NavigationError) -> [NavigationChange] {
    if let stack = modals.last, stack.count == 1 {
      modals.removeLast()
      return removed(stack)
    }
    guard currentLayer.count > 1 else { throw .nothingBelow }
    return removed(cut(to: currentLayer.count - 1))
  }

  private mutating func close(_ id: EntryID) throws(NavigationError) -> [NavigationChange] {
    for level in modals.indices.reversed() {
      guard let index = modals[level].firstIndex(where: { $0.id == id }) else { continue }
      let gone = dropModals(above: level + 1) + cut(to: index)
      if modals[level].isEmpty { modals.removeLast() }
      return removed(gone)
    }
    for tab in tabs.indices {
      guard let index = tabs[tab].stack.firstIndex(where: { $0.id == id }) else { continue }
      // Presented stacks were opened from the selected tab.
      var gone = tab == selectedIndex ? dropModals(above: 0) : []
      gone += tabs[tab].stack[index...].reversed()
      tabs[tab].stack.removeSubrange(index...)
      return removed(gone)
    }
    throw .unknownEntry(id)
  }

  private mutating func closeAll() -> [NavigationChange] {
    var gone = dropModals(above: 0)
    gone += cut(to: 0)
    for tab in tabs.indices {
      gone += tabs[tab].stack.reversed()
      tabs[tab].stack = []
    }
    return removed(gone)
  }

  private mutating func reveal(_ id: EntryID) throws(NavigationError) -> [NavigationChange] {
    for level in modals.indices.reversed() {
      guard let index = modals[level].firstIndex(where: { $0.id == id }) else { continue }
      return removed(dropModals(above: level + 1) + cut(to: index + 1))
    }
    for tab in tabs.indices {
      guard let index = tabs[tab].stack.firstIndex(where: { $0.id == id }) else { continue }
      let dismissed = dropModals(above: 0)
      if tab == selectedIndex { return removed(dismissed + cut(to: index + 1)) }
      selectedIndex = tab
      return removed(dismissed) + [.selected(tab: tabs[tab].name)] + removed(cut(to: index + 1))
    }
    throw .unknownEntry(id)
  }

  private mutating func select(_ name: String) throws(NavigationError) -> [NavigationChange] {
    guard hasTabs, let index = tabs.firstIndex(where: { $0.name == name }) else {
      throw .unknownTab(name, known: hasTabs ? tabs.map(\.name) : [])
    }
    let gone = dropModals(above: 0)
    let isOther = index != selectedIndex
    selectedIndex = index
    return removed(gone) + (isOther ? [.selected(tab: name)] : [])
  }

  /// Truncates the current stack and returns the removed entries, from the top down.
  private mutating func cut(to count: Int) -> [NavigationEntry] {
    let gone = Array(currentLayer[count...].reversed())
    currentLayer.removeSubrange(count...)
    return gone
  }

  /// Dismisses all but the lowest presented stacks and returns the removed entries, from the top down.
  private mutating func dropModals(above count: Int) -> [NavigationEntry] {
    let gone = modals[count...].reversed().flatMap { $0.reversed() }
    modals.removeSubrange(count...)
    return gone
  }

  private func removed(_ entries: [NavigationEntry]) -> [NavigationChange] {
    entries.isEmpty ? [] : [.removed(entries)]
  }
}
