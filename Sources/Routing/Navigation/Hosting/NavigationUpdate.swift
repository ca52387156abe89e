/// A new state of the navigation, with the changes that led to it.
///
/// It retains no screen, so a host can store an update without keeping screens alive.
@MainActor
public struct NavigationUpdate {
  /// The changes in the order in which to show them; empty when the host was just attached.
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

  /// Returns the screen of an entry, or nil if the entry was removed.
  ///
  /// While the update is being rendered, every entry of the state has a screen, unless the host itself
  /// removes it.
  public func screen(_ id: EntryID) -> (any Screen)? { navigator?.screen(id) }

  /// The screen that the user should see.
  public var topScreen: (any Screen)? { state.top.flatMap { screen($0.id) } }
}
