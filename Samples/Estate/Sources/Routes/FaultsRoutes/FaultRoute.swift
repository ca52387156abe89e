public import Mediation

/// Provokes a failure, to show how it is reported.
public struct FaultRoute: Route, Hashable {
  /// The URLs of the faults.
  public static let pattern: RoutePattern = "estate://fault/{kind}"

  /// The kind of failure.
  public var kind: Fault

  /// Creates a route to a fault.
  public init(kind: Fault) { self.kind = kind }

  /// Reads the route from a URL.
  public init(from input: RouteInput) throws(RouteError) { kind = try input.value("kind") }

  /// Writes the route's parameters.
  public func write(to output: inout RouteOutput) { output.set("kind", to: kind) }
}
