import Deployment
import Foundation

/// Where the app keeps deployment documents, and whose documents it accepts.
struct DeploymentFiles: Sendable {
  private static let keyName = "deployment-public.pem"

  let folder: String
  let verifier: DeploymentVerifier

  /// Opens the folder in a server's state folder; nil if the server publishes no documents.
  ///
  /// An app in a store would have the public key in its code.
  init?(in state: URL) throws(AppConfigurationFault) {
    let path = state.appending(path: Self.keyName).path
    guard let key = FileManager.default.contents(atPath: path) else { return nil }
    do {
      folder = state.appending(path: "deployments").path
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      verifier = try DeploymentVerifier(
        trusting: [DeploymentKey("demo", publicKeyPEM: String(decoding: key, as: UTF8.self))],
        appVersion: "1.0", installation: KeptToken.kept(as: "installation-id", in: state.path))
    } catch {
      throw .deploymentKey(path)
    }
  }

  init(_ files: DeploymentFiles, in folder: String) {
    self.folder = folder
    verifier = files.verifier
  }
}
