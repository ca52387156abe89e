import EstateNetwork
import Foundation
import Switchyard
import WebPages

/// The server's address, its certificate authority, the keys shared with it, and the environment.
public struct AppConfiguration: Sendable {
  let port: Int
  let authorities: String
  /// What the network layer keeps until the next start.
  let files: NetworkFiles
  /// The path of the file that keeps the user's actions; `nil` if they are not recorded.
  let activity: String?
  /// The path of the file that keeps changes made without a network; `nil` if they fail instead.
  let mutations: String?
  /// The path of the folder with the users' own data; `nil` if it is not kept.
  let data: String?
  /// Whether the app measures the server's addresses, refreshes their list and follows the network.
  let worksInBackground: Bool
  let keys: EstateKeys
  /// The environment in which the app starts.
  let environment: DeploymentEnvironment
  /// Verifies redirect tables, if the folder has the public key of their signer.
  let redirectVerifier: RedirectKey?
  /// The files of deployment documents, if the server publishes any and the app keeps files.
  let deployments: DeploymentFiles?
  /// The installed pages of the web site, if the server has any.
  let pages: PagePackageStore?

  /// Reads the files in the server's state folder.
  ///
  /// - Parameters:
  ///   - server: The server's URL, such as `https://localhost:8443`.
  ///   - state: The folder with `ca.pem` and `demo-key.json`. With an Ed25519 public key in
  ///     `redirect-key.pem` the app accepts redirect tables signed with its private key, and with one in
  ///     `pages-public.pem` packages of the web site's pages, and with one in `deployment-public.pem` and no
  ///     redirect key, deployment documents; an app in a store would have the keys in its code.
  ///   - remembersEnvironment: Whether the environment chosen last is used at the next start.
  ///   - isStaging: Whether the app starts with the servers on which a release is tested.
  ///   - hasQueues: Whether the user's actions, and changes made without a network, are kept in files of the
  ///     folder until they are sent, and the users' own data, responses and the list of addresses for the
  ///     next start, and whether
  ///     the app follows the network meanwhile. One app at a time has these files open.
  /// - Throws: ``AppConfigurationFault``.
  public init(
    server: String, state: String, isStaging: Bool = false, remembersEnvironment: Bool = false,
    hasQueues: Bool = false
  ) throws(AppConfigurationFault) {
    environment = isStaging ? .releaseCandidate : .release
    guard let url = URL(string: server), url.scheme == "https", let port = url.port else {
      throw .server(server)
    }
    self.port = port
    let folder = URL(filePath: state, directoryHint: .isDirectory)
    authorities = folder.appending(path: "ca.pem").path
    guard FileManager.default.isReadableFile(atPath: authorities) else { throw .missing(authorities) }
    files = NetworkFiles(
      cookies: folder.appending(path: "cookies").path,
      environments: remembersEnvironment ? folder.appending(path: "environments.json").path : nil,
      responses: hasQueues ? folder.appending(path: "responses").path : nil,
      // The ports in a list are those of one server.
      addresses: hasQueues ? folder.appending(path: "addresses-\(port)").path : nil)
    worksInBackground = hasQueues
    activity = hasQueues ? folder.appending(path: "activity.sqlite").path : nil
    mutations = hasQueues ? folder.appending(path: "mutations.sqlite").path : nil
    deployments = hasQueues ? try DeploymentFiles(in: folder) : nil
    data = hasQueues ? folder.appending(path: "data").path : nil
    pages = try SitePages.store(in: folder)
    let keyFile = folder.appending(path: "demo-key.json")
    guard let key = try? Data(contentsOf: keyFile) else { throw .missing(keyFile.path) }
    keys = try Self.keys(of: key, in: keyFile.path)
    let redirectKey = folder.appending(path: "redirect-key.pem")
    guard let pem = try? Data(contentsOf: redirectKey) else {
      redirectVerifier = nil
      return
    }
    guard let verifier = RedirectKey(pem: [UInt8](pem)) else { throw .redirectKey(redirectKey.path) }
    redirectVerifier = verifier
  }

  private struct KeyFile: Decodable {
    let keyID: String
    let secret: String
    /// The seconds of the server's window; a file of an older server has none.
    let window: Int?
  }

  private static func keys(of data: Data, in path: String) throws(AppConfigurationFault) -> EstateKeys {
    do {
      let file = try JSONDecoder().decode(KeyFile.self, from: data)
      let digits = Array(file.secret.utf8)
      let secret = try stride(from: 0, to: digits.count, by: 2).map { start in
        let pair = String(decoding: digits[start..<min(start + 2, digits.count)], as: UTF8.self)
        guard pair.utf8.count == 2, let byte = UInt8(pair, radix: 16) else {
          throw AppConfigurationFault.key(path)
        }
        return byte
      }
      return EstateKeys(
        signing: try SigningKey(id: file.keyID, secret: secret),
        message: try MessageKey(id: file.keyID, sharedSecret: secret),
        addresses: AddressListKey(secret: secret), verifierWindow: .seconds(file.window ?? 300))
    } catch {
      throw .key(path)
    }
  }
}
