/// The choice of environments that an ``EnvironmentSwitch`` stores.
package struct EnvironmentChoice: Sendable, Hashable, Codable {
  /// The environment of every service that has none set individually; nil if none was chosen.
  package var environment: DeploymentEnvironment?
  /// The environments of single services, by the services' names.
  package var services: [String: DeploymentEnvironment]

  /// Creates a choice; nothing is chosen by default.
  package init(environment: DeploymentEnvironment? = nil, services: [String: DeploymentEnvironment] = [:]) {
    self.environment = environment
    self.services = services
  }
}
