import APIManagers
import EstateContract
import Interception
import LocalStores
import SettingsRoutes

/// Applies the choices of the user to the app's switches.
struct Switchboard: Sendable {
  private static let signatures = LocalKey<String>("signatures", default: SignatureChoice.package.rawValue)

  let switches: AppSwitches
  /// Keeps what was chosen for the next launch.
  let data: KeptData?

  var settings: AppSettings {
    AppSettings(
      environment: switches.environments.environment(of: Service.estate.name) == .release
        ? .production : .staging,
      server: switches.environments.address(of: .estate).authority,
      network: Self.choice(for: switches.network.status),
      signatures: switches.signatures.scheme == .package ? .package : .standard)
  }

  func use(_ choice: SettingsRoutes.EnvironmentChoice, for service: String?) {
    let environment: DeploymentEnvironment =
      switch choice {
      case .production: .release
      case .staging: .releaseCandidate
      }
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
    try await data?.ofDevice().set(choice.rawValue, for: Self.signatures)
    use(choice)
  }

  /// Chooses what was chosen before the launch.
  func restore() async throws {
    guard let kept = try await data?.ofDevice().value(Self.signatures) else { return }
    // A choice of a later version is none of this one.
    if let choice = SignatureChoice(rawValue: kept) { use(choice) }
  }

  private func use(_ choice: SignatureChoice) {
    let scheme: SignatureSwitch.Scheme =
      switch choice {
      case .package: .package
      case .standard: .messageSignatures
      }
    switches.signatures.use(scheme)
  }

  func downgrade(_ api: String, because reason: String?) {
    let api = APIIdentity(service: Service.estate.name, name: api)
    if let reason {
      switches.downgrades.switchOff(api, because: reason)
    } else {
      switches.downgrades.switchOn(api)
    }
  }

  private static func choice(for status: NetworkStatus) -> NetworkChoice {
    switch status {
    case .online: .online
    case .offline: .offline
    case .unknown: .unknown
    }
  }
}
