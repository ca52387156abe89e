import Navigation

/// A screen whose content changes while it is shown.
///
/// A host that draws screens sets `onChange` when it shows the screen; one that reads `lines` on request
/// doesn't need it.
@MainActor public protocol ChangingScreen: TerminalScreen, AnyObject {
  /// Called after the title or the lines have changed.
  var onChange: @MainActor () -> Void { get set }
}
