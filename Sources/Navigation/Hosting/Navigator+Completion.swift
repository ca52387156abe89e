import Mediation

extension Navigator {
  /// Makes the screen of a route, shows it, and waits for its result if the caller wants one.
  ///
  /// - Parameter existsOnce: Whether to return to the screen if another call has shown it meanwhile.
  func run<Output: Sendable>(
    _ parameters: ScreenParameters, existsOnce: Bool = false,
    _ make: @MainActor (ScreenHandle<Output>) async throws -> any Screen
  ) async throws -> RouteOutcome<Output> {
    // Showing a screen without a result completes its call; the caller does not wait until the user leaves
    // it.
    let isAwaited = parameters.wantsResult && Output.self != Void.self
    if isAwaited, PendingScreens.of(self) != nil { throw ResultNotAvailableError() }
    let id = nextID()
    completions[id] = .open(isAwaited: isAwaited)
    do {
      let screen = try await make(ScreenHandle(id: id, navigator: self))
      if case .open? = completions[id] {
        try Task.checkCancellation()
        if existsOnce, let object = screen as? any Screen & AnyObject, try reveal(object) {
          discard(id)
          return .shown
        }
        let entry = parameters.entry(id, showing: screen)
        if let pending = PendingScreens.of(self) {
          if let other = pending.hold(screen, entry) { discard(other) }
          return .shown
        }
        try enter(screen, entry, parameters.style)
      }
    } catch {
      completions[id] = nil
      throw error
    }
    if !isAwaited {
      if case .ended(let result)? = completions.removeValue(forKey: id) { _ = try result.get() }
      return .shown
    }
    guard let value = try await result(of: id).get() as? Output else {
      throw RouteError.resultMismatch(expected: String(describing: Output.self), got: "another type")
    }
    return .value(value)
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
