public import Navigation

/// Keeps the latest update of the navigation, from which pages are rendered on request.
@MainActor public final class WebHost: NavigationHost {
  private(set) var update: NavigationUpdate?

  /// Creates a host without screens.
  public init() {}

  /// Keeps the update.
  public func render(_ update: NavigationUpdate) { self.update = update }
}
