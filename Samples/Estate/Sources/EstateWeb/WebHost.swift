public import Navigation

/// Renders the navigation as pages that a browser asks for: it keeps the state, and no screen.
@MainActor public final class WebHost: NavigationHost {
  private(set) var update: NavigationUpdate?

  /// Makes a host that shows nothing yet.
  public init() {}

  /// Keeps what is to be shown until a browser asks.
  public func render(_ update: NavigationUpdate) { self.update = update }
}
