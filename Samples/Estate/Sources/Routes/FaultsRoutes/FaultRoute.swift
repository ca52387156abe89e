public import Mediation

/// Provokes a failure, to show how it is reported.
public struct FaultRoute: Route, Codable, Hashable {
  /// The URLs of the faults.
  public static let pattern: RoutePattern = """
    estate://fault/{kind:unknown-host|refused|wrong-name|untrusted|slow|unauthorized|broken|malformed|tampered|outdated|maintenance|moved|away|address-down|address-up}
    """

  /// The kind of failure.
  public var kind: Fault

  /// Creates a route to a fault.
  public init(kind: Fault) { self.kind = kind }
}
