/// How a screen is presented.
///
/// The declaration of the screen or the calling code decides; a URL never does.
public enum Presentation: Sendable, Hashable {
  /// On top of the current stack.
  case push
  /// In a new stack over everything.
  case present
  /// Replacing the top of the current stack.
  case replace
  /// As the only entry of the selected tab, with nothing presented.
  case root
  /// On top of the stack of a tab, which is selected.
  case tab(String)
}
