public import Mediation

/// Switches an API of the app's service off, or on again, as the server's configuration would.
public struct DowngradeRoute: Route, Hashable {
  /// The URLs of the switch.
  public static let pattern: RoutePattern = "estate://settings/downgrade/{api}?reason={reason?}"

  /// The API's name within the service, such as `condos.list`.
  public var api: String
  /// Why the API is switched off; nil switches it on.
  public var reason: String?

  /// Creates the route.
  public init(api: String, reason: String?) {
    self.api = api
    self.reason = reason
  }

  /// Reads the route from a URL.
  public init(from input: RouteInput) throws(RouteError) {
    api = try input.value("api")
    reason = try input.optional("reason")
  }

  /// Writes the route's parameters.
  public func write(to output: inout RouteOutput) {
    output.set("api", to: api)
    output.set("reason", to: reason)
  }
}
