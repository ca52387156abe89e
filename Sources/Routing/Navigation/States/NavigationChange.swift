/// A change made by a command, for a host that animates.
public enum NavigationChange: Sendable, Hashable {
  /// The entry was pushed onto the current stack.
  case pushed(NavigationEntry)
  /// A new stack with this entry was presented over everything.
  case presented(NavigationEntry)
  /// The entry replaced the top of the current stack.
  case replaced(NavigationEntry, by: NavigationEntry)
  /// The entry became the only one of the selected tab.
  case rooted(NavigationEntry)
  /// These entries were removed, from the top down.
  case removed([NavigationEntry])
  /// Another tab was selected.
  case selected(tab: String)
  /// These entries were restored from a saved state, beneath what was shown.
  case restored([NavigationEntry])
}
