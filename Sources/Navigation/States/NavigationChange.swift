/// What a command changed, for a host that animates.
public enum NavigationChange: Sendable, Hashable {
  /// An entry lies on top of the current stack.
  case pushed(NavigationEntry)
  /// A stack with this entry lies over everything.
  case presented(NavigationEntry)
  /// The entry took the place of the top.
  case replaced(NavigationEntry, by: NavigationEntry)
  /// The entry is the only one of the selected tab.
  case rooted(NavigationEntry)
  /// These entries are gone, from the top down.
  case removed([NavigationEntry])
  /// Another tab is shown.
  case selected(tab: String)
  /// These entries came back from a saved state, beneath what was shown.
  case restored([NavigationEntry])
}
