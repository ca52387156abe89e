public import Interception
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The environment in which each service is used; it can be switched while the app runs.
///
/// A switch affects requests that start afterwards. With an ``EnvironmentStore`` the choice of environments
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
  ///   - store: Stores the choice, and provides that of the previous launch. If it cannot be read, the app
  ///     starts with `environment`, and ``storeError`` says why.
  public init(
    _ environment: DeploymentEnvironment = .release, storedIn store: (any EnvironmentStore)? = nil
  ) {
    var initial = State(defaultEnvironment: environment)
    do {
      if let choice = try store?.read() { initial.choice = choice }
    } catch {
      initial.storeError = error
    }
    state = Mutex(initial)
    self.store = store
  }

  /// The error of the last access to the store; nil if it succeeded.
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

/// An environment in which a service runs.
public enum DeploymentEnvironment: String, Sendable, Hashable, CaseIterable, Codable {
  /// For the developers of the service.
  case develop
  /// For testing before a release.
  case releaseCandidate
  /// For production.
  case release
}

/// The choice of environments that an ``EnvironmentSwitch`` stores.
public struct EnvironmentChoice: Sendable, Hashable, Codable {
  /// The environment of every service that has none set individually; nil if none was chosen.
  public var environment: DeploymentEnvironment?
  /// The environments of single services, by the services' names.
  public var services: [String: DeploymentEnvironment]

  /// Creates a choice; nothing is chosen by default.
  public init(environment: DeploymentEnvironment? = nil, services: [String: DeploymentEnvironment] = [:]) {
    self.environment = environment
    self.services = services
  }
}

/// Stores the choice of environments across launches of an app.
///
/// Use ``EnvironmentFile``, or a type of the app's own for another place, such as the user defaults.
public protocol EnvironmentStore: Sendable {
  /// Returns the stored choice, or nil if there is none.
  func read() throws -> EnvironmentChoice?
  /// Replaces the stored choice.
  func write(_ choice: EnvironmentChoice) throws
}

/// A file that stores the choice of environments as JSON.
public struct EnvironmentFile: EnvironmentStore {
  /// The path of the file; its folder must exist.
  public let path: String

  // A choice is a few hundred bytes.
  private static let maximumSize = 64 << 10

  /// Creates a store; the file is read and written later.
  public init(path: String) { self.path = path }

  /// Returns the stored choice, or nil if the file does not exist.
  ///
  /// A file that can't be read, is damaged, is a symbolic link, or belongs to another user, who would choose
  /// the servers, gets another name; at most three such files are kept. If the reason may pass, such as too
  /// many open files, it keeps its name until another choice is made. ``EnvironmentFileError`` has the name.
  public func read() throws -> EnvironmentChoice? {
    try path.checkWhole(as: "The path of the environment's file")
    let file = WholeFile(path: path)
    let reason: String
    var copy: String?
    do throws(WholeFileFault) {
      guard let bytes = try file.bytes(upTo: Self.maximumSize) else { return nil }
      if let choice = try? JSONDecoder().decode(EnvironmentChoice.self, from: Data(bytes)) { return choice }
      reason = "it is damaged"
      copy = file.setAside()
    } catch {
      reason = error.reason
      if !error.isPassing { copy = file.setAside() }
    }
    throw EnvironmentFileError(
      "The choice of environments in \(path) can't be read: \(reason); "
        + "\(WholeFile.clause(setAside: copy)). Choose the environments again.")
  }

  /// Replaces the file atomically by one that only its owner can read; a choice has at most 64 KiB.
  public func write(_ choice: EnvironmentChoice) throws {
    try path.checkWhole(as: "The path of the environment's file")
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    let bytes = try encoder.encode(choice)
    guard bytes.count <= Self.maximumSize else {
      throw EnvironmentFileError(
        "The choice of environments for \(path) has \(bytes.count) bytes, of at most \(Self.maximumSize); "
          + "choose fewer services.")
    }
    do throws(WholeFileFault) {
      try WholeFile(path: path).replace(with: Array(bytes), isSynchronized: false)
    } catch {
      throw EnvironmentFileError(
        "The choice of environments can't be written to \(path): \(error.reason). Check its folder.")
    }
  }
}

/// The reason that the file of an ``EnvironmentSwitch`` could not be read or written.
public struct EnvironmentFileError: Error, LoggableError, Sendable, Hashable, CustomStringConvertible {
  /// The file, what happened, and the remedy.
  public let description: String

  fileprivate init(_ description: String) { self.description = description }
}
