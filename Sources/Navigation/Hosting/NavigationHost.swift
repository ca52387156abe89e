/// Renders the navigation: in a terminal, a window, a web page.
///
/// A host decides nothing. Gestures that leave a screen enter the navigator as commands.
@MainActor
public protocol NavigationHost: AnyObject {
  /// Shows the state; a host that animates goes by the changes, any other renders the state's top.
  func render(_ update: NavigationUpdate)
}

/// A new state of the navigation, with what led to it.
@MainActor
public struct NavigationUpdate {
  /// What changed, in the order in which to show it.
  public let changes: [NavigationChange]
  /// The state after all changes.
  public let state: NavigationState
  private let screens: [EntryID: any Screen]

  init(changes: [NavigationChange], state: NavigationState, screens: [EntryID: any Screen]) {
    self.changes = changes
    self.state = state
    self.screens = screens
  }

  /// The screen of an entry in the state.
  public func screen(_ id: EntryID) -> (any Screen)? { screens[id] }

  /// The screen that the user is to see.
  public var topScreen: (any Screen)? { state.top.flatMap { screens[$0.id] } }
}
