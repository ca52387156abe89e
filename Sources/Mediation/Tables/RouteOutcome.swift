/// What came of running a route.
public enum RouteOutcome<Output: Sendable>: Sendable {
  /// The route answered.
  case value(Output)
  /// The route was shown to a user and the caller did not wait for an answer.
  case shown
}
