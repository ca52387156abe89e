/// Who may reach a route by a URL.
///
/// It is checked before any guard, at each redirect again, and nothing can skip it. A typed call needs the
/// route's type, whose visibility the compiler checks, so exposure does not concern it.
public enum Exposure: Sendable, Hashable {
  /// Only the module that declares the route.
  case moduleOnly
  /// Any code of the app.
  case app
  /// Any code of the app, and URLs that came in by one of these ways.
  case link(Set<LinkSource>)

  /// Whether a caller may reach a route of a module.
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
