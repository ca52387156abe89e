import EstateNetwork
import MessageSignatures
package import RouteManifests
import Switchyard

extension EstateShell {
  /// Returns the manifest of the app's routes.
  ///
  /// The app is created for it, but reads no file and sends nothing.
  package static func manifest() throws -> RouteManifest {
    let secret: [UInt8] = Array(0..<32)
    let keys = EstateKeys(
      signing: try SigningKey(id: "none", secret: secret),
      message: try MessageKey(id: "none", sharedSecret: secret), addresses: AddressListKey(secret: secret))
    let shell = try EstateShell(
      AppConfiguration(port: 1, authorities: "/dev/null", keys: keys), console: StandardConsole(),
      prompt: ScriptedPrompt([]), logger: Logger(label: "estate"))
    return manifest(of: shell.mediator)
  }

  nonisolated static func manifest(of mediator: Mediator) -> RouteManifest {
    RouteManifest(app: "Estate", appIDs: ["ABCDE12345.test.estate"], mediator: mediator)
  }
}
