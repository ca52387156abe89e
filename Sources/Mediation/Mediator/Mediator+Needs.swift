extension Mediator {
  /// Returns whether the route that matches a URL was declared to need an environment key; nil if no route
  /// matches.
  ///
  /// A screen needs the navigator and an action does not, so this tells the kind of a route before it runs.
  /// It has no side effects and ignores exposure.
  package func routeNeeds<Key: RouteEnvironmentKey>(_ key: Key.Type, url: String) -> Bool? {
    guard let url = try? RouteURL(url), let index = registry.trie.match(url) else { return nil }
    return registry.routes[index].declaration.needs.contains { ObjectIdentifier($0) == ObjectIdentifier(key) }
  }
}
