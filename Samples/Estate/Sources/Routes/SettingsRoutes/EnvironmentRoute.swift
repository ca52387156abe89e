public import Mediation

/// Uses an environment for requests that start afterwards.
public struct EnvironmentRoute: Route, Codable, Hashable {
  /// The URLs of the switch.
  public static let pattern: RoutePattern = """
    estate://settings/environment/{environment:production|staging}?service={service?}
    """

  /// The environment.
  public var environment: EnvironmentChoice
  /// The service that uses it; all services if it is nil.
  public var service: String?

  /// Creates the route.
  public init(environment: EnvironmentChoice, service: String? = nil) {
    self.environment = environment
    self.service = service
  }
}
