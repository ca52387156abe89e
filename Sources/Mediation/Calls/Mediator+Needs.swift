extension Mediator {
  /// Whether the route that a URL leads to was declared to need something of the environment; nil if no route
  /// answers.
  ///
  /// A screen needs the navigator, a service does not: so the kind of a route is known before it runs. It has
  /// no side effect and does not look at exposure.
  public func routeNeeds<Key: RouteEnvironmentKey>(_ key: Key.Type, url: String) -> Bool? {
    guard let url = try? RouteURL(url), let index = registry.trie.match(url) else { return nil }
    return registry.routes[index].needs.contains { ObjectIdentifier($0) == ObjectIdentifier(key) }
  }
}
