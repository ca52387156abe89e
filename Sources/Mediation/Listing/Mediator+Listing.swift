extension Mediator {
  /// Every declared route in plain values, by module, pattern and name.
  ///
  /// The order does not depend on that of the modules or declarations. Linear in the number of routes, but for sorting.
  public var routes: [RouteDescription] {
    var aliases: [ObjectIdentifier: [String]] = [:]
    for route in registry.routes where route.isAlias {
      if let pattern = route.pattern { aliases[route.type, default: []].append(pattern.text) }
    }
    return registry.routes.filter { !$0.isAlias }
      .map { RouteDescription($0, aliases: aliases[$0.type, default: []].sorted(), appGuards: guards) }
      .sorted(by: RouteDescription.precedes)
  }
}
