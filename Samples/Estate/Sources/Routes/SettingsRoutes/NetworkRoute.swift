public import Mediation

/// Sets what the app knows about the network, as a phone's network monitor would.
public struct NetworkRoute: Route, Hashable {
  /// The URLs of the switch.
  public static let pattern: RoutePattern = "estate://settings/network/{status}"

  /// The status.
  public var status: NetworkChoice

  /// Creates the route.
  public init(status: NetworkChoice) { self.status = status }

  /// Reads the route from a URL.
  public init(from input: RouteInput) throws(RouteError) { status = try input.value("status") }

  /// Writes the route's parameters.
  public func write(to output: inout RouteOutput) { output.set("status", to: status) }
}
