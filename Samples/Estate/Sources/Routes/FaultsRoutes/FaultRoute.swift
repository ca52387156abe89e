public import Mediation

/// Does what must fail, to show how it fails.
public struct FaultRoute: Route, Hashable {
  /// The URLs of the faults.
  public static let pattern: RoutePattern = "estate://fault/{kind}"

  /// What goes wrong.
  public var kind: Fault

  /// Makes a route to a fault.
  public init(kind: Fault) { self.kind = kind }

  /// Reads the route from a URL.
  public init(from input: RouteInput) throws(RouteError) { kind = try input.value("kind") }

  /// Writes the route's parameters.
  public func write(to output: inout RouteOutput) { output.set("kind", to: kind) }
}
