import EstateNetwork
public import RouteManifests
import Switchyard

extension EstateShell {
  /// Returns the manifest of the app's routes.
  ///
  /// The app is created for it, but reads no file and sends nothing.
  public static func manifest() throws -> RouteManifest {
    let shell = try EstateShell(
      .leadingNowhere(), console: StandardConsole(), prompt: ScriptedPrompt([]),
      logger: Logger(label: "estate"))
    return manifest(of: shell.mediator)
  }

  /// Returns the manifest of a mediator's routes.
  nonisolated static func manifest(of mediator: Mediator) -> RouteManifest {
    RouteManifest(app: "Estate", appIDs: ["ABCDE12345.test.estate"], mediator: mediator)
  }
}

extension AppConfiguration {
  /// Creates a configuration without a server.
  fileprivate static func leadingNowhere() throws -> AppConfiguration {
    let secret: [UInt8] = Array(0..<32)
    let keys = EstateKeys(
      signing: try SigningKey(id: "none", secret: secret),
      message: try MessageKey(id: "none", sharedSecret: secret),
      addresses: AddressListKey(secret: secret))
    return AppConfiguration(port: 1, authorities: "/dev/null", keys: keys)
  }

  private init(port: Int, authorities: String, keys: EstateKeys) {
    self.port = port
    self.authorities = authorities
    self.keys = keys
    environment = .release
    files = NetworkFiles()
    worksInBackground = false
    activity = nil
    mutations = nil
    data = nil
    redirectVerifier = nil
    pages = nil
    deployments = nil
  }
}
