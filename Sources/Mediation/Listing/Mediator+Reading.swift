extension Mediator {
  /// The route that a URL leads to, as a value; for the test kit's round trips.
  ///
  /// - Parameter module: The module as whose code it is asked for.
  package func route(at url: String, asking module: String) throws(RouteError) -> any Sendable {
    try locate(url, .native(module: module)).value
  }
}
