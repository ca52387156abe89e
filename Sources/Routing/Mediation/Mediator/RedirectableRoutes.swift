/// The routes of a mediator, against which a redirector checks its rules.
package struct RedirectableRoutes: Sendable {
  /// A pattern of a route: the route's own, or one of its aliases.
  package struct Entry: Sendable {
    /// The pattern.
    package let pattern: RoutePattern
    /// The module, the route and where the pattern was declared.
    package let place: RouteTable.Place
    /// The callers that may reach the route.
    package let exposure: Exposure
    /// The name of the route's output type.
    package let output: String

    /// Returns whether a caller may open the route by a URL.
    package func admits(_ origin: Origin) -> Bool { exposure.admits(origin, module: place.module) }
  }

  /// The app's own URL schemes.
  package let schemes: Set<String>
  /// The hosts whose `https` links the app opens.
  package let hosts: Set<String>
  /// The patterns of all routes that have one.
  package let entries: [Entry]
  /// Whether the app opens web URLs that no route matches.
  package let opensWebPages: Bool
  private let observers: [any RouteObserver]

  init(_ registry: RouteRegistry, opensWebPages: Bool, observers: [any RouteObserver]) {
    schemes = registry.schemes
    hosts = registry.hosts
    entries = registry.routes.flatMap { route in
      let declaration = route.declaration
      return declaration.patterns.compactMap { pattern in
        declaration.exposure.map {
          Entry(
            pattern: pattern, place: declaration.place(of: pattern), exposure: $0, output: declaration.output)
        }
      }
    }
    self.opensWebPages = opensWebPages
    self.observers = observers
  }

  /// Tells the mediator's observers that other rules apply from now on; nil means that there are none.
  package func reportChange(toVersion version: Int?) {
    for observer in observers { observer.observe(.redirectsChanged(version: version)) }
  }
}
