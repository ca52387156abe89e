/// The result of running a route's body.
package enum RouteOutcome<Output: Sendable>: Sendable {
  /// The route returned a value.
  case value(Output)
  /// The route was shown to the user and the caller does not wait for a result.
  case shown

  /// The value; nil if the route was shown.
  var answer: (any Sendable)? {
    if case .value(let output) = self { output } else { nil }
  }
}
