extension Mediator {
  /// Descriptions of all routes, sorted by module, pattern and name.
  ///
  /// The result does not depend on the order of modules or declarations. Takes O(*n* log *n*) time for *n*
  /// routes.
  public var routes: [RouteDescription] {
    registry.routes.map(RouteDescription.init).sorted(by: RouteDescription.precedes)
  }
}
