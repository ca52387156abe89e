extension Mediator {
  /// Descriptions of all routes, sorted by module, pattern and name.
  ///
  /// The result does not depend on the order of modules or declarations. Takes O(*n* log *n*) time for *n*
  /// routes.
  public var routes: [RouteDescription] {
    registry.routes.map { route in
      RouteDescription(route, otherGuards: guards + (registry.moduleGuards[route.module] ?? []))
    }.sorted(by: RouteDescription.precedes)
  }
}
