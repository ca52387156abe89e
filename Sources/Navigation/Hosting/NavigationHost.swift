/// Renders the navigation: in a terminal, a window, a web page.
///
/// A host decides nothing. Gestures that leave a screen enter the navigator as commands (`.pop` for a back
/// gesture). The navigator keeps its host, so a host keeps its navigator weakly.
@MainActor
public protocol NavigationHost: AnyObject {
  /// Shows the state; a host that animates goes by the changes, any other renders the state's top.
  ///
  /// It returns at once; for transitions that take time see ``TransitionQueue``. One render runs at a time. A
  /// command that is performed meanwhile changes the state at once and is rendered afterwards; the changes of
  /// several such commands come in one update, in their order.
  func render(_ update: NavigationUpdate)
}

/// A new state of the navigation, with what led to it.
///
/// It keeps no screen: a host that stores an update keeps none alive.
@MainActor
public struct NavigationUpdate {
  /// What changed, in the order in which to show it; empty when the host was just attached.
  ///
  /// An entry can enter and leave within one update; it has no screen then.
  public let changes: [NavigationChange]
  /// The state after all changes.
  public let state: NavigationState
  private weak let navigator: Navigator?

  init(changes: [NavigationChange], state: NavigationState, navigator: Navigator) {
    self.changes = changes
    self.state = state
    self.navigator = navigator
  }

  /// An update with other changes, which must lead to its state.
  init(changes: [NavigationChange], of update: NavigationUpdate) {
    self.changes = changes
    state = update.state
    navigator = update.navigator
  }

  /// The screen of an entry; nil once the entry is gone.
  ///
  /// While the update is rendered every entry of the state has its screen, until the host itself removes it.
  public func screen(_ id: EntryID) -> (any Screen)? { navigator?.screen(id) }

  /// The screen that the user is to see.
  public var topScreen: (any Screen)? { state.top.flatMap { screen($0.id) } }
}
