import APIManagers
import EstateContract
import Interception
import LocalStores
import SettingsRoutes

/// Applies the choices of the user to the app's switches.
struct Switchboard: Sendable {
  private static let kept = LocalKey<String>("signatures", default: SignatureChoice.package.rawValue)

  let switches: AppSwitches
  /// Keeps what was chosen for the next launch.
  let data: KeptData?

  var environment: SettingsRoutes.EnvironmentChoice {
    switches.environments.environment(of: Service.estate.name) == .release ? .production : .staging
  }

  /// The host and port to which the next request is sent.
  var server: String { switches.environments.address(of: .estate).authority }

  var network: NetworkChoice {
    switch switches.network.status {
    case .online: .online
    case .offline: .offline
    case .unknown: .unknown
    }
  }

  var signatures: SignatureChoice { switches.signatures.scheme == .package ? .package : .standard }

  func use(_ choice: SettingsRoutes.EnvironmentChoice, for service: String?) {
    let environment = choice == .production ? DeploymentEnvironment.release : .releaseCandidate
    if let service {
      switches.environments.use(environment, for: service)
    } else {
      switches.environments.use(environment)
    }
  }

  func use(server authority: String?) {
    let address = authority.map { ServiceAddress(authority: $0, version: "v1") }
    switches.environments.use(address: address, for: Service.estate.name)
  }

  func set(_ choice: NetworkChoice) {
    let status: NetworkStatus =
      switch choice {
      case .online: .online
      case .offline: .offline
      case .unknown: .unknown
      }
    switches.network.update(status)
  }

  /// Chooses the scheme of signatures, and keeps the choice first.
  func sign(by choice: SignatureChoice) async throws {
    try await data?.ofDevice().set(choice.rawValue, for: Self.kept)
    use(choice)
  }

  /// Chooses what was chosen before the launch.
  func restore() async throws {
    guard let kept = try await data?.ofDevice().value(Self.kept) else { return }
    // A choice of a later version is none of this one.
    if let choice = SignatureChoice(rawValue: kept) { use(choice) }
  }

  private func use(_ choice: SignatureChoice) {
    switches.signatures.use(choice == .package ? .package : .messageSignatures)
  }

  func downgrade(_ api: String, because reason: String?) {
    let api = APIIdentity(service: Service.estate.name, name: api)
    if let reason {
      switches.downgrades.switchOff(api, because: reason)
    } else {
      switches.downgrades.switchOn(api)
    }
  }
}
