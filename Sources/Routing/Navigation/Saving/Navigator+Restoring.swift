public import Mediation

extension Navigator {
  /// Returns the navigation as a value that can be stored.
  public func snapshot() -> NavigationSnapshot { NavigationSnapshot(state, awaited: awaitedEntries) }

  /// Restores a saved navigation.
  ///
  /// The mediator opens each URL as a call of the app, one after another from the bottom up, so exposure,
  /// parameters and guards are evaluated anew. Nothing is rendered until all screens are made. They are then
  /// inserted beneath the screens that were shown in the meantime. Only screens are opened: a URL that leads
  /// to an action is reported, not run. Restoring does not ask the user anything: a guard's detour, and a
  /// screen whose result is awaited, fail. An aspect that exceeds its time limit is
  /// not asked again: the remaining screens that it applies to are reported.
  ///
  /// If every screen is reported and nothing was shown in the meantime, the user sees no screen: show one.
  ///
  /// - Throws: ``NavigationError`` if a restoration is already running; `CancellationError`, after which
  ///   nothing is restored.
  public func restore(
    _ snapshot: NavigationSnapshot, through mediator: Mediator
  ) async throws -> NavigationSnapshot.Restoration {
    try beginRestoring()
    defer { endRestoring() }
    var builder = RestorationBuilder()
    do {
      for tab in snapshot.tabs {
        let index = state.tabs.firstIndex { $0.name == tab.name }
        for entry in tab.stack {
          guard let index else {
            builder.fail(entry, .unknownTab(tab.name))
            continue
          }
          if let held = try await makeScreen(entry, mediator, &builder) { builder.put(held, tab: index) }
        }
      }
      for stack in snapshot.modals {
        builder.beginModal()
        for entry in stack {
          if let held = try await makeScreen(entry, mediator, &builder) { builder.putModal(held) }
        }
      }
    } catch {
      for held in builder.screens { discard(held.entry.id) }
      throw error
    }
    builder.select(state.tabs.firstIndex { $0.name == snapshot.selectedTab })
    return insertRestored(builder)
  }

  /// Makes the screen of an entry, or records why it cannot be made and returns nil.
  private func makeScreen(
    _ entry: NavigationSnapshot.Entry, _ mediator: Mediator, _ builder: inout RestorationBuilder
  ) async throws -> PreparedScreen? {
    try Task.checkCancellation()
    guard let url = entry.url else {
      builder.fail(entry, .unsaved)
      return nil
    }
    let read = try? RouteURL(url)
    if let read, mediator.routeNeeds(NavigatorKey.self, url: read) == false {
      builder.fail(entry, .notAScreen)
      return nil
    }
    let pending = PendingScreens(for: self, overdueAspects: builder.overdueAspects)
    let failure = await RestorationContext.$pending.withValue(pending) { () async -> RouteError? in
      do throws(RouteError) {
        if let read { try await mediator.open(read) } else { try await mediator.open(url) }
        return nil
      } catch {
        return error
      }
    }
    pending.close()
    builder.overdueAspects = pending.overdueAspects
    let held = pending.take()
    if let failure {
      if let held { discard(held.entry.id) }
      try Task.checkCancellation()
      builder.fail(entry, .refused(failure))
      return nil
    }
    guard let held else {
      builder.fail(entry, .nothingShown)
      return nil
    }
    builder.names[held.entry.id] = entry.name
    return held
  }

  private func insertRestored(_ builder: RestorationBuilder) -> NavigationSnapshot.Restoration {
    var builder = builder
    for held in builder.screens where isEnded(held.entry.id) { builder.remove(held.entry.id, .nothingShown) }
    // Shown meanwhile, or by an earlier URL of the snapshot.
    var instances: Set<ObjectIdentifier> = []
    for held in builder.screens {
      guard let instance = held.instance else { continue }
      if entry(showing: instance) != nil || !instances.insert(ObjectIdentifier(instance)).inserted {
        builder.remove(held.entry.id, .alreadyShown)
      }
    }
    let room = max(0, state.limit - state.count)
    for held in builder.screens.dropFirst(room) { builder.remove(held.entry.id, .full(limit: state.limit)) }
    let covered = insertRestored(builder.stacks, builder.screens)
    for entry in covered { builder.remove(entry.id, .covered) }
    for id in builder.removed { discard(id) }
    var restoration = NavigationSnapshot.Restoration()
    restoration.restored = builder.screens.map(\.entry)
    restoration.faults = builder.faults
    return restoration
  }
}

/// The screens made so far by a restoration, by tab and stack.
struct RestorationBuilder {
  private(set) var stacks = NavigationState.RestoredStacks()
  /// The screens that have a place, those of the tabs first.
  private(set) var screens: [PreparedScreen] = []
  private(set) var faults: [NavigationSnapshot.Restoration.Fault] = []
  /// The entries that lost their places.
  private(set) var removed: [EntryID] = []
  /// The names of the entries in the snapshot.
  var names: [EntryID: String] = [:]
  /// The names of the aspects that were overdue.
  var overdueAspects: Set<String> = []

  mutating func fail(_ entry: NavigationSnapshot.Entry, _ reason: NavigationSnapshot.Restoration.Reason) {
    faults.append(NavigationSnapshot.Restoration.Fault(name: entry.name, reason: reason))
  }

  mutating func put(_ held: PreparedScreen, tab: Int) {
    stacks.tabs[tab, default: []].append(held.entry)
    screens.append(held)
  }

  mutating func beginModal() { stacks.modals.append([]) }

  mutating func putModal(_ held: PreparedScreen) {
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

extension NavigationSnapshot {
  /// The outcome of restoring a saved navigation.
  ///
  /// Together the two lists contain every screen of the snapshot, so none is lost silently.
  public struct Restoration: Sendable {
    /// The entries whose screens are shown again, those of the tabs first.
    public internal(set) var restored: [NavigationEntry] = []
    /// The entries that were not restored, in the order of the snapshot; those without a place come last.
    public internal(set) var faults: [Fault] = []

    /// An entry that was not restored.
    public struct Fault: Sendable, CustomStringConvertible {
      /// The entry's URL, or the name of its route.
      public let name: String
      /// The reason.
      package let reason: Reason

      /// The entry, without the query and fragment of its URL, and the reason.
      public var description: String {
        "\(name.prefix { $0 != "?" && $0 != "#" }) was not restored: \(reason)"
      }
    }

    /// The reason that an entry was not restored.
    package enum Reason: Sendable, CustomStringConvertible {
      /// The entry has no URL, or its caller, which no longer exists, was waiting for a result.
      case unsaved
      /// The navigation no longer has this tab.
      case unknownTab(String)
      /// The URL leads to an action, which restoring does not run.
      case notAScreen
      /// The mediator or one of its guards refused; detours of guards are not taken, because restoring does
      /// not ask the user anything.
      case refused(RouteError)
      /// Opening the URL showed no screen, or the screen closed itself.
      case nothingShown
      /// The screen exists once, and is shown already.
      case alreadyShown
      /// The entry was presented, and would cover a screen that was shown in the meantime.
      case covered
      /// The state contains the maximum number of entries.
      case full(limit: Int)

      /// The reason as a clause.
      package var description: String {
        switch self {
        case .unsaved: "it has no URL, or its caller was waiting for its result."
        case .unknownTab(let name): "the tab \"\(name)\" no longer exists."
        case .notAScreen: "its URL leads to an action, which restoring does not run."
        case .refused(let error): "\(error)"
        case .nothingShown: "its URL no longer shows a screen."
        case .alreadyShown: "its screen exists once and is shown already."
        case .covered: "it would cover a screen that was shown in the meantime."
        case .full(let limit): "\(limit) screens are open, which is the limit."
        }
      }
    }
  }
}
