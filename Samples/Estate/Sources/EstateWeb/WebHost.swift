import Screens
public import Switchyard

/// Keeps the latest update of the navigation, from which pages are rendered on request.
@MainActor public final class WebHost: NavigationHost {
  private(set) var update: NavigationUpdate?
  /// Called after another screen was shown, or the content of the top screen has changed.
  var onChange: @MainActor () -> Void = {}

  /// Creates a host without screens.
  public init() {}

  /// Keeps the update, and follows the changes of its top screen.
  public func render(_ update: NavigationUpdate) {
    self.update = update
    if let screen = update.topScreen as? any ChangingScreen {
      screen.onChange = { [weak self] in self?.onChange() }
    }
    onChange()
  }
}
