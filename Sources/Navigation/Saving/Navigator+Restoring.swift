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
  ) async throws -> NavigationRestoration {
    try beginRestoring()
    defer { endRestoring() }
    var work = RestoringWork()
    do {
      for tab in snapshot.tabs {
        let index = state.tabs.firstIndex { $0.name == tab.name }
        for entry in tab.stack {
          guard let index else {
            work.fail(entry, .unknownTab(tab.name))
            continue
          }
          if let held = try await made(entry, mediator, &work) { work.put(held, tab: index) }
        }
      }
      for stack in snapshot.modals {
        work.beginModal()
        for entry in stack {
          if let held = try await made(entry, mediator, &work) { work.putModal(held) }
        }
      }
    } catch {
      for held in work.screens { drop(held.entry.id) }
      throw error
    }
    work.select(state.tabs.firstIndex { $0.name == snapshot.selectedTab })
    return adopt(work)
  }

  /// Makes the screen of an entry, or records why it cannot be made and returns nil.
  private func made(
    _ entry: NavigationSnapshot.Entry, _ mediator: Mediator, _ work: inout RestoringWork
  ) async throws -> RestoringStage.Held? {
    try Task.checkCancellation()
    guard let url = entry.url else {
      work.fail(entry, .unsaved)
      return nil
    }
    if mediator.routeNeeds(NavigatorKey.self, url: url) == false {
      work.fail(entry, .notAScreen)
      return nil
    }
    let stage = RestoringStage(for: self)
    let failure = await RestoringTask.$stage.withValue(stage) { () async -> RouteError? in
      do throws(RouteError) {
        try await mediator.open(url)
        return nil
      } catch {
        return error
      }
    }
    stage.close()
    let held = stage.take()
    if let failure {
      if let held { drop(held.entry.id) }
      try Task.checkCancellation()
      work.fail(entry, .refused(failure))
      return nil
    }
    guard let held else {
      work.fail(entry, .nothingShown)
      return nil
    }
    work.names[held.entry.id] = entry.name
    return held
  }

  private func adopt(_ work: RestoringWork) -> NavigationRestoration {
    var work = work
    for held in work.screens where isEnded(held.entry.id) { work.remove(held.entry.id, .nothingShown) }
    let room = max(0, state.limit - state.count)
    for held in work.screens.dropFirst(room) { work.remove(held.entry.id, .full(limit: state.limit)) }
    let covered = adopt(work.adoption, work.screens)
    for entry in covered { work.remove(entry.id, .covered) }
    for id in work.removed { drop(id) }
    var restoration = NavigationRestoration()
    restoration.restored = work.screens.map(\.entry)
    restoration.faults = work.faults
    return restoration
  }
}
