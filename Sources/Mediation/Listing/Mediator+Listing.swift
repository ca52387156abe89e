extension Mediator {
  /// Every declared route in plain values, by module, pattern and name.
  ///
  /// The order does not depend on that of the modules or declarations. Linear in the number of routes, but
  /// for sorting.
  public var routes: [RouteDescription] {
    registry.routes.map { route in
      RouteDescription(route, otherGuards: guards + (registry.moduleGuards[route.module] ?? []))
    }.sorted(by: RouteDescription.precedes)
  }
}
