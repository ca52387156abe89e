import Synchronization

/// The environment in which each service is used; it can be switched while the app runs.
///
/// A switch affects requests that start afterwards.
public final class EnvironmentSwitch: Sendable {
  private struct State {
    var defaultEnvironment: DeploymentEnvironment
    var overrides: [String: DeploymentEnvironment] = [:]
    var addresses: [String: ServiceAddress] = [:]
  }

  private let state: Mutex<State>

  /// Creates a switch with an environment for all services; ``DeploymentEnvironment/release`` by default.
  public init(_ environment: DeploymentEnvironment = .release) {
    state = Mutex(State(defaultEnvironment: environment))
  }

  /// Uses an environment for every service that has none set individually.
  public func use(_ environment: DeploymentEnvironment) {
    state.withLock { $0.defaultEnvironment = environment }
  }

  /// Uses an environment for the service with the given name; nil removes it.
  public func use(_ environment: DeploymentEnvironment?, for service: String) {
    state.withLock { $0.overrides[service] = environment }
  }

  /// Uses an address known only at run time for the service with the given name; nil removes it.
  public func use(address: ServiceAddress?, for service: String) {
    state.withLock { $0.addresses[service] = address }
  }

  /// Returns the environment of the service with the given name.
  public func environment(of service: String) -> DeploymentEnvironment {
    state.withLock { $0.overrides[service] ?? $0.defaultEnvironment }
  }

  /// Returns the current address of a service.
  public func address(of service: Service) -> ServiceAddress {
    state.withLock { state in
      state.addresses[service.name]
        ?? service.address(in: state.overrides[service.name] ?? state.defaultEnvironment)
    }
  }
}
