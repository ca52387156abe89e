/// How a screen enters.
///
/// The declaration of the screen or the code that shows it decides; a URL never does.
public enum Presentation: Sendable, Hashable {
  /// On top of the current stack.
  case push
  /// In a stack of its own, over everything.
  case present
  /// In place of the current stack's top.
  case replace
  /// As the only entry of the selected tab, with nothing presented.
  case root
  /// On top of the stack of a tab, which is selected.
  case tab(String)
}
