public import Mediation

/// Chooses the scheme with which requests are signed.
public struct SignatureRoute: Route, Codable, Hashable {
  /// The URLs of the switch.
  public static let pattern: RoutePattern = "estate://settings/signatures/{scheme:package|standard}"

  /// The scheme.
  public var scheme: SignatureChoice

  /// Creates the route.
  public init(scheme: SignatureChoice) { self.scheme = scheme }
}
