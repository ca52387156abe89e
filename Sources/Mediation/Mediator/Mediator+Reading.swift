extension Mediator {
  /// Returns the route value that a URL stands for, for the round-trip checks of `MediationTesting`.
  ///
  /// - Parameter module: The module that makes the call.
  package func route(at url: String, asking module: String) throws(RouteError) -> any Sendable {
    try locate(url, .native(module: module)).value
  }
}
