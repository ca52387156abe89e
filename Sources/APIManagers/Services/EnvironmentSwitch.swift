import Synchronization

/// Which environment each service is used in; it can be switched while the app runs.
///
/// A switch holds for requests that begin afterwards.
public final class EnvironmentSwitch: Sendable {
  private struct State {
    var general: DeploymentEnvironment
    var ofService: [String: DeploymentEnvironment] = [:]
    var addresses: [String: ServiceAddress] = [:]
  }

  private let state: Mutex<State>

  /// Makes a switch that stands at an environment; at ``DeploymentEnvironment/release`` by default.
  public init(_ environment: DeploymentEnvironment = .release) { state = Mutex(State(general: environment)) }

  /// Uses an environment for every service that has no choice of its own.
  public func use(_ environment: DeploymentEnvironment) { state.withLock { $0.general = environment } }

  /// Uses an environment for the service of a name; nil ends the choice.
  public func use(_ environment: DeploymentEnvironment?, for service: String) {
    state.withLock { $0.ofService[service] = environment }
  }

  /// Uses an address known only at run time for the service of a name; nil ends it.
  public func use(address: ServiceAddress?, for service: String) {
    state.withLock { $0.addresses[service] = address }
  }

  /// The environment in which the service of a name is used.
  public func environment(of service: String) -> DeploymentEnvironment {
    state.withLock { $0.ofService[service] ?? $0.general }
  }

  /// The address at which a service is used now.
  public func address(of service: Service) -> ServiceAddress {
    state.withLock { state in
      state.addresses[service.name] ?? service.address(in: state.ofService[service.name] ?? state.general)
    }
  }
}
