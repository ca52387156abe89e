public import Mediation

/// Uses an environment for requests that start afterwards.
public struct EnvironmentRoute: Route, Hashable {
  /// The URLs of the switch.
  public static let pattern: RoutePattern = "estate://settings/environment/{environment}?service={service?}"

  /// The environment.
  public var environment: EnvironmentChoice
  /// The service that uses it; all services if it is nil.
  public var service: String?

  /// Creates the route.
  public init(environment: EnvironmentChoice, service: String? = nil) {
    self.environment = environment
    self.service = service
  }

  /// Reads the route from a URL.
  public init(from input: RouteInput) throws(RouteError) {
    environment = try input.value("environment")
    service = try input.optional("service")
  }

  /// Writes the route's parameters.
  public func write(to output: inout RouteOutput) {
    output.set("environment", to: environment)
    output.set("service", to: service)
  }
}
