import Mediation

extension Navigator {
  /// Makes the screen of a route, shows it, and waits for its result if the caller wants one.
  ///
  /// All screens are made first. The state is then compared with them and changed in one step, because other
  /// calls change it while screens are made.
  ///
  /// - Parameters:
  ///   - instance: The screen, if it exists once: if it is shown, it is revealed.
  ///   - parents: Returns the screens to show below the route's own; nil if there are none.
  func run<Output: Sendable>(
    _ parameters: ScreenParameters, instance: (any Screen & AnyObject)? = nil,
    above parents: @MainActor () throws -> ParentStack? = { nil },
    _ make: @MainActor (ScreenHandle<Output>) async throws -> any Screen
  ) async throws -> RouteOutcome<Output> {
    // Showing a screen without a result completes its call; the caller does not wait until the user leaves
    // it.
    let isAwaited = parameters.wantsResult && Output.self != Void.self
    try refuseAspect()
    let isPending = PendingScreens.of(self, parameters.context) != nil
    if isAwaited, isPending { throw ResultNotAvailableError() }
    // Most calls find out here, before parents are made in vain.
    if !isPending, let instance, try reveal(instance) { return .shown }
    let id = nextID()
    completions[id] = .open(isAwaited: isAwaited)
    var below: ParentStack?
    do {
      let screen = try await prepare(try await make(ScreenHandle(id: id, navigator: self)), id, parameters)
      below = try parents()
      while let index = below?.lowestMissing { try await below?.prepare(index) }
      // Nothing suspends from here on, so what is compared is what is changed.
      if try settle(screen, id, instance, above: below, parameters) { return .shown }
    } catch {
      below?.discard()
      completions[id] = nil
      throw error
    }
    if !isAwaited {
      if case .ended(let result)? = completions.removeValue(forKey: id) { _ = try result.get() }
      return .shown
    }
    parameters.context.mediator.endLinkTurn()
    guard let value = try await result(of: id).get() as? Output else {
      throw RouteError.resultMismatch(expected: String(describing: Output.self), got: "another type")
    }
    return .value(value)
  }

  /// Shows a screen that was made and its parents, or holds it back, or reveals what is shown already.
  ///
  /// - Returns: Whether the call is complete, because the screen was not entered.
  private func settle(
    _ screen: PreparedScreen, _ id: EntryID, _ instance: (any Screen & AnyObject)?,
    above below: ParentStack?, _ parameters: ScreenParameters
  ) throws -> Bool {
    var screens = below?.screensToShow ?? []
    if case .open? = completions[id] {
      try Task.checkCancellation()
      var own = screen
      own.instance = instance
      if let pending = PendingScreens.of(self, parameters.context) {
        if let other = pending.hold(own) { discard(other) }
        return true
      }
      if let instance, try reveal(instance) {
        discard(id)
        below?.discard()
        return true
      }
      screens.append(own)
    }
    // A screen that ended while it was made is not shown.
    if below != nil || !screens.isEmpty { try enter(screens, above: below?.highestShown?.entry) }
    below?.discard()
    return false
  }

  /// Ends a screen at most once: resumes its caller with the result and removes the screen.
  ///
  /// - Returns: False if the screen had already ended.
  func end(_ id: EntryID, _ result: Result<any Sendable, any Error>) -> Bool {
    let isShown = isShown(id)
    switch completions[id] {
    case .awaited(let continuation)?:
      completions[id] = nil
      continuation.resume(returning: result)
    case .open?:
      completions[id] = .ended(result)
    case .ended?: return false
    case nil: if !isShown { return false }
    }
    if isShown, let changes = try? state.apply(.close(id)) { applyChanges(changes) }
    return true
  }

  /// Whether a result for this screen would still be accepted.
  func isOpen(_ id: EntryID) -> Bool {
    switch completions[id] {
    case .open?, .awaited?: true
    case .ended?: false
    case nil: isShown(id)
    }
  }

  /// Whether a screen ended by itself before it was shown.
  func isEnded(_ id: EntryID) -> Bool {
    if case .ended? = completions[id] { true } else { false }
  }

  /// The entries whose callers wait for a result or are about to.
  var awaitedEntries: Set<EntryID> {
    Set(
      completions.filter {
        switch $0.value {
        case .awaited, .open(isAwaited: true): true
        case .open(isAwaited: false), .ended: false
        }
      }.keys)
  }

  /// Resumes the caller that waits for a screen with `RouteError.dismissed`, because the user has left it.
  func dismissWaiter(_ id: EntryID) {
    switch completions[id] {
    case .awaited(let continuation)?:
      completions[id] = nil
      continuation.resume(returning: .failure(RouteError.dismissed))
    case .open?: completions[id] = .ended(.failure(RouteError.dismissed))
    case .ended?, nil: return
    }
  }

  private func result(of id: EntryID) async -> Result<any Sendable, any Error> {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        switch completions[id] {
        case .open?: completions[id] = .awaited(continuation)
        case .ended(let result)?:
          completions[id] = nil
          continuation.resume(returning: result)
        case .awaited?, nil: continuation.resume(returning: .failure(RouteError.dismissed))
        }
      }
    } onCancel: {
      Task { @MainActor in _ = self.end(id, .failure(CancellationError())) }
    }
  }
}
