/// The callers that may reach a route by a URL.
///
/// Exposure is checked before any guard runs and again at each redirect; nothing bypasses it. It does not
/// apply to typed calls, because they need access to the route's type, which the compiler checks.
public enum Exposure: Sendable, Hashable {
  /// Only the module that declares the route.
  case moduleOnly
  /// Any code in the app.
  case app
  /// Any code in the app, and external URLs from these sources.
  case link(Set<LinkSource>)

  /// Returns whether a caller may reach a route of a module.
  func admits(_ origin: Origin, module: String) -> Bool {
    switch (self, origin) {
    case (.moduleOnly, .native(let caller)): caller == module
    case (.app, .native), (.link, .native): true
    case (.link(let sources), .external(let source)):
      sources.contains { $0.normalized == source.normalized }
    case (.moduleOnly, .external), (.app, .external): false
    }
  }
}
