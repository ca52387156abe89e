public import Mediation

extension Navigator {
  /// Returns the navigation as a value that can be stored.
  public func snapshot() -> NavigationSnapshot { NavigationSnapshot(state, awaited: awaitedEntries) }

  /// Restores a saved navigation.
  ///
  /// Each URL is opened through the mediator as code of the app, one after another from the bottom up, so
  /// exposure, parameters and guards are evaluated anew. Nothing is rendered until all screens are made; they
  /// are then inserted beneath what was shown in the meantime. Only screens are opened: a URL that leads to
  /// an action is reported, not run. Restoring does not ask the user anything: a guard's detour, and a screen
  /// whose result is awaited, fail.
  ///
  /// - Throws: `NavigationError.restoring` if a restoration is already running; `CancellationError`, after
  ///   which nothing is restored.
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
  ) async throws -> PendingScreens.Held? {
    try Task.checkCancellation()
    guard let url = entry.url else {
      builder.fail(entry, .unsaved)
      return nil
    }
    if mediator.routeNeeds(NavigatorKey.self, url: url) == false {
      builder.fail(entry, .notAScreen)
      return nil
    }
    let pending = PendingScreens(for: self)
    let failure = await RestorationContext.$pending.withValue(pending) { () async -> RouteError? in
      do throws(RouteError) {
        try await mediator.open(url)
        return nil
      } catch {
        return error
      }
    }
    pending.close()
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
