import SettingsRoutes

/// The current state of the switches.
struct AppSettings: Sendable, Hashable {
  let environment: EnvironmentChoice
  /// The host and port to which the next request is sent.
  let server: String
  let network: NetworkChoice
  let signatures: SignatureChoice
}
