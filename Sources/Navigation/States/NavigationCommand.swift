/// A change that code or a user's gesture asks for.
///
/// A URL never becomes a command: presentation and order of the screens are the app's. Text that code of the
/// app writes can be one, see ``NavigationPath``.
public enum NavigationCommand: Sendable, Hashable {
  /// Let an entry enter.
  case show(NavigationEntry, Presentation)
  /// Remove the current stack's top; the only entry of a presented stack takes the stack with it.
  case pop
  /// Remove what lies above an entry in the current stack.
  case popTo(EntryID)
  /// Remove all but the first entry of the current stack.
  case popToRoot
  /// Remove the topmost presented stack.
  case dismiss
  /// Remove all presented stacks.
  case dismissAll
  /// Remove an entry, wherever it is, with what was opened from it.
  case close(EntryID)
  /// Remove every entry of every tab and all that is presented, as at a logout; the tabs stay.
  case closeAll
  /// Show another tab; what is presented is dismissed.
  case select(tab: String)
  /// Lead back to an entry, wherever it is: its tab is selected, and what lies above it is removed.
  case reveal(EntryID)
}
