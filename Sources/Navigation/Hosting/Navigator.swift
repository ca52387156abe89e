/// Owns the navigation's state and its screens, and hands changes to the host.
///
/// A screen is kept exactly as long as its entry is in the state; neither host updates nor handles keep it.
/// Each screen that somebody waits for ends once: by its handle, by being left, which throws
/// `RouteError.dismissed` to the caller, or by the caller's cancellation, which closes it. A screen that
/// keeps its `RouteContext` keeps the mediator and so the navigator: close all screens before you let go of
/// both.
///
/// Commands take effect at once and in their order; the host renders one update at a time. A screen whose
/// making takes time enters the stack that is current when it is ready.
@MainActor
public final class Navigator {
  /// So many renders in a row may each be answered with commands by the host.
  static let roundLimit = 100

  /// What is shown.
  public internal(set) var state: NavigationState
  private var host: (any NavigationHost)?
  private var screens: [EntryID: any Screen] = [:]
  /// The screens that have not ended yet, with who waits for them.
  var endings: [EntryID: ScreenEnding] = [:]
  private var lastNumber = 0
  private var unrendered: [NavigationChange] = []
  private var isStale = false
  /// How often the host has rendered since it was last left alone.
  private var rounds = 0
  private var isRestoring = false

  /// Starts with nothing shown.
  ///
  /// - Parameters:
  ///   - host: Renders; without one the state changes unseen until a host is attached.
  ///   - state: The tabs, if there are any.
  public init(host: (any NavigationHost)? = nil, state: NavigationState = NavigationState()) {
    self.host = host
    self.state = state
  }

  /// Hands the navigation to a host, which renders the state at once; the one before is let go.
  public func attach(_ host: any NavigationHost) {
    self.host = host
    isStale = true
    render()
  }

  /// Lets the host go; commands still change the state.
  public func detach() { host = nil }

  /// The screen of an entry, while it is shown.
  public func screen(_ id: EntryID) -> (any Screen)? { screens[id] }

  /// Shows a screen that no route declares.
  ///
  /// - Parameters:
  ///   - name: What stands for it in the state: its URL or a name.
  ///   - url: The URL that shows it again, if there is one.
  /// - Throws: `NavigationError.full`, `.unknownTab` and `.renderLoop`.
  @discardableResult
  public func show(
    _ screen: any Screen, named name: String, url: String? = nil, style: Presentation = .push
  ) throws(NavigationError) -> EntryID {
    let id = nextID()
    let address = (screen as? any AddressedScreen)?.address
    let entry = NavigationEntry(id: id, name: name, url: address ?? url)
    if let stage = RestoringStage.of(self) {
      endings[id] = .open(isAwaited: false)
      if let other = stage.hold(screen, entry) { drop(other) }
    } else {
      try enter(screen, entry, style)
    }
    return id
  }

  /// Follows a command, from the app or from a gesture in the host.
  ///
  /// - Throws: `NavigationError`; a `.show` of an entry that has no screen is `.unknownEntry`.
  public func perform(_ command: NavigationCommand) throws(NavigationError) {
    if case .show(let entry, _) = command, screens[entry.id] == nil { throw .unknownEntry(entry.id) }
    try checkRounds()
    settle(try state.apply(command))
  }

  /// The entry whose screen is this very object.
  func entry(showing object: any Screen & AnyObject) -> EntryID? {
    screens.first { ($0.value as? any Screen & AnyObject) === object }?.key
  }

  func enter(
    _ screen: any Screen, _ entry: NavigationEntry, _ style: Presentation
  ) throws(NavigationError) {
    try checkRounds()
    let changes = try state.apply(.show(entry, style))
    screens[entry.id] = screen
    settle(changes)
  }

  /// Puts restored screens beneath what is shown; the entries that had no place.
  func adopt(
    _ adoption: NavigationState.Adoption, _ held: [RestoringStage.Held]
  ) -> [NavigationEntry] {
    let (changes, covered) = state.adopt(adoption)
    let homeless = Set(covered.map(\.id))
    for one in held where !homeless.contains(one.entry.id) {
      screens[one.entry.id] = one.screen
      endings[one.entry.id] = nil
    }
    settle(changes)
    return covered
  }

  func isShown(_ id: EntryID) -> Bool { screens[id] != nil }

  func beginRestoring() throws(NavigationError) {
    if isRestoring { throw .restoring }
    isRestoring = true
  }

  func endRestoring() { isRestoring = false }

  /// Forgets a screen that was made and not shown.
  func drop(_ id: EntryID) { endings[id] = nil }

  func nextID() -> EntryID {
    lastNumber += 1
    return EntryID(lastNumber)
  }

  /// Lets go of the screens that are gone, renders, and tells who waited for them.
  func settle(_ changes: [NavigationChange]) {
    var gone: [NavigationEntry] = []
    for change in changes {
      switch change {
      case .removed(let entries): gone += entries
      case .replaced(let old, _): gone.append(old)
      case .pushed, .presented, .rooted, .selected, .restored: continue
      }
    }
    for entry in gone { screens[entry.id] = nil }
    unrendered += changes
    if !changes.isEmpty {
      isStale = true
      render()
    }
    for entry in gone { leave(entry.id) }
  }

  /// Renders until the host leaves the state alone; within a render it does nothing, for that render's end
  /// goes on.
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
    // Without a host nobody will ask for the changes: one that is attached later sees the whole state.
    if host == nil { unrendered = [] }
  }

  /// A host that answers every render with a command would never end.
  private func checkRounds() throws(NavigationError) {
    if rounds >= Self.roundLimit { throw .renderLoop(limit: Self.roundLimit) }
  }
}
