import APIManagers
import Logging
import Mediation
import RequestSigning
public import RouteManifests

extension EstateShell {
  /// Returns the manifest of the app's routes.
  ///
  /// The app is created for it, but reads no file and sends nothing.
  public static func manifest() throws -> RouteManifest {
    let shell = try EstateShell(
      .leadingNowhere(), console: StandardConsole(), prompt: ScriptedPrompt([]),
      logger: Logger(label: "estate"))
    return RouteManifest(app: "Estate", appIDs: ["ABCDE12345.test.estate"], routes: shell.mediator.routes)
  }
}

extension AppConfiguration {
  /// Creates a configuration without a server.
  fileprivate static func leadingNowhere() throws -> AppConfiguration {
    AppConfiguration(
      port: 1, authorities: "/dev/null", key: try SigningKey(id: "none", secret: Array(0..<32)))
  }

  private init(port: Int, authorities: String, key: SigningKey) {
    self.port = port
    self.authorities = authorities
    self.key = key
    environment = .release
    cookies = nil
    redirectVerifier = nil
  }
}
