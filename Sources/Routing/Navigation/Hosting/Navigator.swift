import Mediation

/// Owns the state of the navigation and its screens, and passes changes to the host.
///
/// A screen is retained exactly as long as its entry is in the state; neither host updates nor handles retain
/// it. Each screen that a caller waits for ends once: by its handle; by being left, which throws
/// `RouteError.dismissed` to the caller; or by the caller's cancellation, which closes it. A screen that
/// stores its `RouteContext` retains the mediator and thereby the navigator, so close all screens before
/// releasing both.
///
/// Commands take effect immediately and in order; the host renders one update at a time. A screen that takes
/// time to make enters the stack that is current when it is ready.
@MainActor
public final class Navigator {
  /// The maximum number of consecutive renders that the host may answer with commands.
  static let roundLimit = 100

  /// The current state.
  public internal(set) var state: NavigationState
  private var host: (any NavigationHost)?
  /// The shown screens.
  private var shown: [EntryID: PreparedScreen] = [:]
  /// What stands in for shown screens while the app is in the background.
  private var covers: [EntryID: any Screen] = [:]
  /// The screens whose results are not delivered yet, with their waiting callers.
  var completions: [EntryID: ScreenCompletion] = [:]
  private var lastNumber = 0
  private var unrendered: [NavigationChange] = []
  private var isStale = false
  /// The number of renders in the current cycle, which lasts until the host leaves the state unchanged.
  private var rounds = 0
  private var isRestoring = false
  /// The aspects of the app.
  nonisolated let aspects: ScreenAspects
  /// The number of screens that wait for aspects.
  var questions = 0
  private var lifecycle: ScreenLifecycle
  /// The events that aspects have not received yet.
  private var unobserved: [(event: ScreenEvent, aspects: [any ScreenAspect])] = []
  /// The aspect that receives an event or is asked for a cover at the moment.
  var runningAspect: String?
  /// Returns the time since the navigator was created.
  private let elapsed: () -> Duration

  /// Creates a navigator that shows nothing.
  ///
  /// - Parameters:
  ///   - host: Renders the state; without a host nothing is rendered until one is attached.
  ///   - state: The initial state, for example with tabs.
  ///   - aspects: What the app does around its screens; nothing by default.
  public init(
    host: (any NavigationHost)? = nil, state: NavigationState = NavigationState(),
    aspects: ScreenAspects = ScreenAspects()
  ) {
    self.host = host
    self.state = state
    self.aspects = aspects
    lifecycle = ScreenLifecycle(state)
    elapsed = OwnTime.stopwatch(aspects.clock)
  }

  /// Attaches a host, which renders the state immediately, and releases the previous one.
  public func attach(_ host: any NavigationHost) {
    self.host = host
    isStale = true
    render()
  }

  /// Releases the host; commands still change the state.
  public func detach() { host = nil }

  /// Returns the screen of an entry while it is shown, as aspects left it; in the background, the screen that
  /// stands in for it.
  public func screen(_ id: EntryID) -> (any Screen)? { covers[id] ?? shown[id]?.screen }

  /// Shows a screen that no route declares.
  ///
  /// - Parameters:
  ///   - name: The name of the entry: its URL or a name.
  ///   - url: The URL that shows the screen again, if there is one.
  /// - Throws: A ``NavigationError`` if the limit of screens is reached, the tab is unknown, the host
  ///   performs a command in each render, or an aspect calls this while it is asked about a screen.
  @discardableResult
  public func show(
    _ screen: any Screen, named name: String, url: String? = nil, style: Presentation = .push
  ) throws(NavigationError) -> EntryID {
    try refuseAspect()
    let id = nextID()
    let address = (screen as? any AddressedScreen)?.address
    let pending = PendingScreens.of(self)
    let visit = ScreenVisit(
      NavigationEntry(id: id, name: name, url: address ?? url), isRestored: pending != nil)
    let prepared = PreparedScreen(
      screen: screen, visit: visit, aspects: aspects.applying(to: visit, with: []), style: style)
    if let pending {
      completions[id] = .open(isAwaited: false)
      if let other = pending.hold(prepared) { discard(other) }
    } else {
      try enter([prepared])
    }
    return id
  }

  /// Performs a command of the app or of a gesture in the host.
  ///
  /// - Throws: A ``NavigationError`` if the state does not permit the command, or if a `.show` names an entry
  ///   that has no screen.
  public func perform(_ command: NavigationCommand) throws(NavigationError) {
    if case .show(let entry, _) = command, shown[entry.id] == nil { throw .unknownEntry(entry.id) }
    if let runningAspect { throw .navigatingAspect(runningAspect) }
    try checkRounds()
    applyChanges(try state.apply(command))
  }

  /// Returns the entry whose screen is identical to an object.
  func entry(showing object: any Screen & AnyObject) -> EntryID? {
    shown.first { ($0.value.instance ?? $0.value.screen as? any Screen & AnyObject) === object }?.key
  }

  /// Shows screens in one update, the lowest first, above an entry that is revealed; none of them if one
  /// cannot be shown.
  func enter(_ prepared: [PreparedScreen], above base: EntryID? = nil) throws(NavigationError) {
    try checkRounds()
    var next = state
    var life = lifecycle
    let moment = elapsed()
    var changes: [NavigationChange] = []
    var steps: [ScreenLifecycle.Step] = []
    if let base {
      changes += try next.apply(.reveal(base))
      steps += life.advance(to: next, at: moment)
    }
    for screen in prepared {
      changes += try next.apply(.show(screen.entry, screen.style))
      // One at a time, because a screen can be entered and removed by the next one.
      steps += life.advance(to: next, at: moment)
    }
    state = next
    lifecycle = life
    for screen in prepared { shown[screen.entry.id] = screen }
    note(steps)
    applyChanges(changes, showing: prepared)
  }

  /// Inserts restored screens beneath what is shown and returns the entries that are not inserted, because
  /// they would cover it.
  func insertRestored(
    _ stacks: NavigationState.RestoredStacks, _ held: [PreparedScreen]
  ) -> [NavigationEntry] {
    let (changes, covered) = state.insertRestored(stacks)
    let coveredIDs = Set(covered.map(\.id))
    let inserted = held.filter { !coveredIDs.contains($0.entry.id) }
    for restored in inserted {
      shown[restored.entry.id] = restored
      completions[restored.entry.id] = nil
    }
    applyChanges(changes, showing: inserted)
    return covered
  }

  /// Returns what each shown screen stands for; one that was shown without a route stands for its URL, or for
  /// its name if that is one.
  func shownIdentities(by mediator: Mediator) -> [RouteIdentity: EntryID] {
    var entries: [RouteIdentity: EntryID] = [:]
    for entry in state.entries {
      if let known = shown[entry.id]?.identities, !known.isEmpty {
        for identity in known { entries[identity] = entry.id }
      } else {
        for text in [entry.name, entry.url].compactMap(\.self) {
          entries[mediator.identity(of: text)] = entry.id
        }
      }
    }
    return entries
  }

  func isShown(_ id: EntryID) -> Bool { shown[id] != nil }

  func beginRestoring() throws(NavigationError) {
    if isRestoring { throw .restoring }
    isRestoring = true
  }

  func endRestoring() { isRestoring = false }

  /// Discards the completion of a screen that was made but not shown.
  func discard(_ id: EntryID) { completions[id] = nil }

  func nextID() -> EntryID {
    lastNumber += 1
    return EntryID(lastNumber)
  }

  /// Releases the removed screens, passes their events to aspects, renders, and resumes the callers that
  /// waited for them.
  ///
  /// - Parameter screens: The screens that are new.
  func applyChanges(_ changes: [NavigationChange], showing screens: [PreparedScreen] = []) {
    note(lifecycle.advance(to: state, at: elapsed()))
    var removed: [NavigationEntry] = []
    for change in changes {
      switch change {
      case .removed(let entries): removed += entries
      case .replaced(let old, _): removed.append(old)
      case .pushed, .presented, .rooted, .selected, .restored: continue
      }
    }
    for entry in removed {
      shown[entry.id] = nil
      covers[entry.id] = nil
    }
    unrendered += changes
    if !changes.isEmpty { isStale = true }
    coverInBackground(screens)
    // A screen that an aspect ends is rendered after the aspects have received all events.
    if runningAspect == nil {
      passEvents()
      render()
    }
    for entry in removed { dismissWaiter(entry.id) }
  }

  /// Collects events for the aspects of their screens.
  private func note(_ steps: [ScreenLifecycle.Step]) {
    for step in steps {
      guard let screen = shown[step.id], !screen.aspects.isEmpty else { continue }
      unobserved.append(
        (ScreenEvent(step.kind, screen.visit, timeOnScreen: step.timeOnScreen), screen.aspects))
    }
  }

  /// Passes the collected events to aspects, in order, also those that are collected meanwhile.
  private func passEvents() {
    while !unobserved.isEmpty {
      let events = unobserved
      unobserved = []
      for (event, aspects) in events {
        for aspect in aspects { withoutNavigating(aspect) { $0.observe(event) } }
      }
    }
  }

  /// Runs code of an aspect that must not navigate.
  private func withoutNavigating<Value>(
    _ aspect: any ScreenAspect, _ body: (any ScreenAspect) -> Value
  ) -> Value {
    runningAspect = aspect.name
    defer { runningAspect = nil }
    return body(aspect)
  }

  /// Returns the screen that stands in for a shown one in the background; nil if none does.
  private func cover(of screen: PreparedScreen) -> (any Screen)? {
    for aspect in screen.aspects.reversed() {
      if let cover = withoutNavigating(aspect, { $0.cover(for: screen.visit) }) { return cover }
    }
    return nil
  }

  /// Asks aspects for what stands in for screens, if the app is in the background.
  private func coverInBackground(_ screens: [PreparedScreen]) {
    if lifecycle.isForeground { return }
    for screen in screens {
      let cover = cover(of: screen)
      // An aspect may end a screen.
      if isShown(screen.entry.id) { covers[screen.entry.id] = cover }
    }
  }

  /// Whether the app is visible, by the last life-cycle event.
  package var isInForeground: Bool { lifecycle.isForeground }

  /// Counts time on screen, or stops, and shows what stands in for screens in the background.
  func setForeground(_ isForeground: Bool) {
    guard isForeground != lifecycle.isForeground else { return }
    lifecycle.setForeground(isForeground, at: elapsed())
    let hadCovers = !covers.isEmpty
    covers = [:]
    coverInBackground(Array(shown.values))
    if hadCovers || !covers.isEmpty { isStale = true }
    passEvents()
    render()
  }

  /// Renders until the host leaves the state unchanged; a nested call does nothing, because the outer loop
  /// renders its changes.
  private func render() {
    if rounds > 0 { return }
    defer { rounds = 0 }
    while isStale, let host {
      isStale = false
      let changes = unrendered
      unrendered = []
      rounds += 1
      host.render(NavigationUpdate(changes: changes, state: state, navigator: self))
    }
    // Without a host the changes are discarded: a host that is attached later renders the whole state.
    if host == nil { unrendered = [] }
  }

  /// Refuses a command of a host that answers every render with another one, which would never end.
  private func checkRounds() throws(NavigationError) {
    if rounds >= Self.roundLimit { throw .renderLoop(limit: Self.roundLimit) }
  }
}

/// The progress of a screen that has not yet delivered its result.
enum ScreenCompletion {
  /// The screen is being made or shown; `isAwaited` if its caller will wait for the result.
  case open(isAwaited: Bool)
  /// The screen ended before its caller waited.
  case ended(Result<any Sendable, any Error>)
  /// The caller waits for the result.
  case awaited(CheckedContinuation<Result<any Sendable, any Error>, Never>)
}
