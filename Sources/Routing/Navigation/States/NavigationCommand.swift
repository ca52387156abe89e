/// A change requested by code or by a gesture of the user.
///
/// A URL never becomes a command: the app alone decides on the presentation and order of its screens.
public enum NavigationCommand: Sendable, Hashable {
  /// Shows an entry.
  case show(NavigationEntry, Presentation)
  /// Removes the top of the current stack; a presented stack is dismissed with its only entry.
  case pop
  /// Removes the entries above an entry in the current stack.
  case popTo(EntryID)
  /// Removes all but the first entry of the current stack.
  case popToRoot
  /// Removes the topmost presented stack.
  case dismiss
  /// Removes all presented stacks.
  case dismissAll
  /// Removes an entry of any stack and the entries above it.
  case close(EntryID)
  /// Removes all entries of all tabs and all presented stacks, as on logout; the tabs remain.
  case closeAll
  /// Selects a tab and dismisses all presented stacks.
  case select(tab: String)
  /// Returns to an entry of any stack: selects its tab and removes the entries above it.
  case reveal(EntryID)
}
