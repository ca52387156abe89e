public import Mediation

/// Switches an API of the app's service off, or on again, as the server's configuration would.
public struct DowngradeRoute: Route, Codable, Hashable {
  /// The URLs of the switch.
  public static let pattern: RoutePattern = "estate://settings/downgrade/{api}?reason={reason?}"
  /// The line in the manifest.
  public static let purpose = "Switches an API off or on."

  /// The API's name within the service, such as `condos.list`.
  public var api: String
  /// Why the API is switched off; nil switches it on.
  public var reason: String?

  /// Creates the route.
  public init(api: String, reason: String?) {
    self.api = api
    self.reason = reason
  }
}
