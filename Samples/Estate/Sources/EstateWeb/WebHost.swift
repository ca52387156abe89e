import Screens
package import Switchyard

/// Keeps the latest update of the navigation, from which pages are rendered on request.
@MainActor package final class WebHost: NavigationHost {
  private(set) var update: NavigationUpdate?
  /// Called after another screen was shown, or the content of the top screen has changed.
  var onChange: @MainActor () -> Void = {}

  package init() {}

  /// Keeps the update, and follows the changes of its top screen.
  package func render(_ update: NavigationUpdate) {
    self.update = update
    if let screen = update.topScreen as? any ChangingScreen {
      screen.onChange = { [weak self] in self?.onChange() }
    }
    onChange()
  }
}
