import Interception
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The environment in which each service is used; it can be switched while the app runs.
///
/// A switch affects requests that start afterwards. With an ``EnvironmentFile`` the choice of environments
/// survives a restart; addresses known only at run time don't.
///
/// ```swift
/// let environments = EnvironmentSwitch(.release, storedIn: EnvironmentFile(path: file))
/// environments.use(.develop, for: "estate")
/// ```
public final class EnvironmentSwitch: Sendable {
  private struct State {
    let defaultEnvironment: DeploymentEnvironment
    var choice = EnvironmentChoice()
    var addresses: [String: ServiceAddress] = [:]
    var storeError: (any Error)?
    var isWriting = false
    var isChanged = false

    func environment(of service: String) -> DeploymentEnvironment {
      choice.services[service] ?? choice.environment ?? defaultEnvironment
    }
  }

  private let state: Mutex<State>
  private let store: (any EnvironmentStore)?

  /// Creates a switch with an environment for all services; ``DeploymentEnvironment/release`` by default.
  ///
  /// - Parameters:
  ///   - environment: The environment unless another one was chosen.
  ///   - file: Stores the choice, and provides that of the previous launch. If it cannot be read, the app
  ///     starts with `environment`, and ``storeError`` says why.
  public convenience init(
    _ environment: DeploymentEnvironment = .release, storedIn file: EnvironmentFile? = nil
  ) {
    self.init(environment, store: file)
  }

  package init(_ environment: DeploymentEnvironment, store: (any EnvironmentStore)?) {
    var initial = State(defaultEnvironment: environment)
    do {
      if let choice = try store?.read() { initial.choice = choice }
    } catch {
      initial.storeError = error
    }
    state = Mutex(initial)
    self.store = store
  }

  /// The error of the last access to the file; nil if it succeeded.
  public var storeError: (any Error)? { state.withLock { $0.storeError } }

  /// Uses an environment for every service that has none set individually.
  public func use(_ environment: DeploymentEnvironment) { change { $0.environment = environment } }

  /// Uses an environment for the service with the given name; nil removes it.
  public func use(_ environment: DeploymentEnvironment?, for service: String) {
    change { $0.services[service] = environment }
  }

  /// Uses an address known only at run time for the service with the given name; nil removes it.
  public func use(address: ServiceAddress?, for service: String) {
    state.withLock { $0.addresses[service] = address }
  }

  /// Returns the environment of the service with the given name.
  public func environment(of service: String) -> DeploymentEnvironment {
    state.withLock { $0.environment(of: service) }
  }

  /// Returns the current address of a service.
  public func address(of service: Service) -> ServiceAddress {
    state.withLock { state in
      state.addresses[service.name] ?? service.address(in: state.environment(of: service.name))
    }
  }

  /// Changes the choice and stores it.
  private func change(_ body: (inout EnvironmentChoice) -> Void) {
    let isWriter = state.withLock { state in
      body(&state.choice)
      guard store != nil else { return false }
      defer { state.isWriting = true }
      if state.isWriting { state.isChanged = true }
      return !state.isWriting
    }
    // One thread writes at a time, without the lock, until the newest choice is stored.
    var isBehind = isWriter
    while isBehind, let store {
      let choice = state.withLock { state in
        state.isChanged = false
        return state.choice
      }
      let result = Result { try store.write(choice) }
      isBehind = state.withLock { state in
        state.storeError = if case .failure(let error) = result { error } else { nil }
        state.isWriting = state.isChanged
        return state.isChanged
      }
    }
  }
}
