import Mediation

/// Owns the navigation's state and its screens, and hands changes to the host.
///
/// A screen is kept exactly as long as its entry is in the state. Each screen that somebody waits for ends once: by its handle, by
/// being left, which throws `RouteError.dismissed` to the caller, or by the caller's cancellation, which closes it.
@MainActor
public final class Navigator {
  /// What is shown.
  public private(set) var state: NavigationState
  private let host: any NavigationHost
  private var screens: [EntryID: any Screen] = [:]
  /// The screens that have not ended yet, with who waits for them.
  private var endings: [EntryID: Ending] = [:]
  private var lastNumber = 0

  private enum Ending {
    /// Nobody waits (yet).
    case open
    /// It ended before anybody waited.
    case ended(Result<any Sendable, any Error>)
    case awaited(CheckedContinuation<Result<any Sendable, any Error>, Never>)
  }

  /// Starts with nothing shown.
  ///
  /// - Parameter state: The tabs, if there are any.
  public init(host: any NavigationHost, state: NavigationState = NavigationState()) {
    self.host = host
    self.state = state
  }

  /// The screen of an entry, while it is shown.
  public func screen(_ id: EntryID) -> (any Screen)? { screens[id] }

  /// Shows a screen that no route declares, such as the web page for an address.
  ///
  /// - Parameter name: What stands for it in the state: its URL or a name.
  @discardableResult
  public func show(
    _ screen: any Screen, named name: String, style: Presentation = .push
  ) throws(NavigationError) -> EntryID {
    let id = nextID()
    try enter(screen, NavigationEntry(id: id, name: name), style)
    return id
  }

  /// Follows a command, from the app or from a gesture in the host.
  ///
  /// - Throws: `NavigationError`; a `.show` of an entry that has no screen is `.unknownEntry`.
  public func perform(_ command: NavigationCommand) throws(NavigationError) {
    if case .show(let entry, _) = command, screens[entry.id] == nil { throw .unknownEntry(entry.id) }
    let changes = try state.apply(command)
    settle(changes)
  }

  /// Makes the screen of a route, shows it and waits for its result if the caller does.
  func run<Output: Sendable>(
    named name: String, style: Presentation, wantsResult: Bool,
    _ make: @MainActor (ScreenHandle<Output>) async throws -> any Screen
  ) async throws -> RouteOutcome<Output> {
    let id = nextID()
    endings[id] = .open
    let handle = ScreenHandle<Output>(id: id) { [weak self] result in
      self?.end(id, result.map { $0 as any Sendable }) ?? false
    }
    do {
      let screen = try await make(handle)
      try Task.checkCancellation()
      if case .open? = endings[id] { try enter(screen, NavigationEntry(id: id, name: name), style) }
    } catch {
      endings[id] = nil
      throw error
    }
    // A screen without a result is there once it is shown; nobody waits until the user leaves it.
    if !wantsResult || Output.self == Void.self {
      if case .ended(let result)? = endings.removeValue(forKey: id) { _ = try result.get() }
      return .shown
    }
    guard let value = try await result(of: id).get() as? Output else {
      throw RouteError.resultMismatch(expected: String(describing: Output.self), got: "another type")
    }
    return .value(value)
  }

  private func result(of id: EntryID) async -> Result<any Sendable, any Error> {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        switch endings[id] {
        case .open?: endings[id] = .awaited(continuation)
        case .ended(let result)?:
          endings[id] = nil
          continuation.resume(returning: result)
        case .awaited?, nil: continuation.resume(returning: .failure(RouteError.dismissed))
        }
      }
    } onCancel: {
      Task { @MainActor in self.end(id, .failure(CancellationError())) }
    }
  }

  /// Ends a screen once: hands the result to who waits and removes the screen.
  @discardableResult
  private func end(_ id: EntryID, _ result: Result<any Sendable, any Error>) -> Bool {
    let isShown = screens[id] != nil
    switch endings[id] {
    case .awaited(let continuation)?:
      endings[id] = nil
      continuation.resume(returning: result)
    case .open?:
      endings[id] = .ended(result)
    case .ended?: return false
    case nil: if !isShown { return false }
    }
    if isShown, let changes = try? state.apply(.close(id)) { settle(changes) }
    return true
  }

  private func enter(
    _ screen: any Screen, _ entry: NavigationEntry, _ style: Presentation
  ) throws(NavigationError) {
    let changes = try state.apply(.show(entry, style))
    screens[entry.id] = screen
    settle(changes)
  }

  /// Lets go of the screens that are gone, tells who waited for them, and renders.
  private func settle(_ changes: [NavigationChange]) {
    var gone: [NavigationEntry] = []
    for change in changes {
      switch change {
      case .removed(let entries): gone += entries
      case .replaced(let old, _): gone.append(old)
      case .pushed, .presented, .rooted, .selected: continue
      }
    }
    for entry in gone { screens[entry.id] = nil }
    if !changes.isEmpty { host.render(NavigationUpdate(changes: changes, state: state, screens: screens)) }
    for entry in gone {
      switch endings[entry.id] {
      case .awaited(let continuation)?:
        endings[entry.id] = nil
        continuation.resume(returning: .failure(RouteError.dismissed))
      case .open?: endings[entry.id] = .ended(.failure(RouteError.dismissed))
      case .ended?, nil: continue
      }
    }
  }

  private func nextID() -> EntryID {
    lastNumber += 1
    return EntryID(lastNumber)
  }
}
