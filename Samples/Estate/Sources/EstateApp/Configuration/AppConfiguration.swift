import EstateNetwork
import Foundation
import MessageSignatures
import Switchyard
import WebPages

/// The server's address, its certificate authority, the keys shared with it, and the environment.
package struct AppConfiguration: Sendable {
  let port: Int
  let authorities: String
  let keys: EstateKeys
  /// What the network layer keeps until the next start.
  var files = NetworkFiles()
  /// The path of the file that keeps the user's actions; `nil` if they are not recorded.
  var activity: String?
  /// The path of the file that keeps changes made without a network; `nil` if they fail instead.
  var mutations: String?
  /// The path of the folder with the users' own data; `nil` if it is not kept.
  var data: String?
  /// Whether the app measures the server's addresses, refreshes their list and follows the network.
  var worksInBackground = false
  var environment = DeploymentEnvironment.release
  /// Verifies redirect tables, if the folder has the public key of their signer.
  var redirectVerifier: RedirectKey?
  /// The files of deployment documents, if the server publishes any and the app keeps files.
  var deployments: DeploymentFiles?
  /// The installed pages of the web site, if the server has any.
  var pages: PagePackageStore?

  /// Creates the configuration of an app that keeps nothing.
  init(port: Int, authorities: String, keys: EstateKeys) {
    self.port = port
    self.authorities = authorities
    self.keys = keys
  }

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
  ///     folder until they are sent, and the users' own data, responses, the list of addresses and what
  ///     servers advertise of HTTP/3 for the next start, and whether the app follows the network meanwhile.
  ///     One app at a time has these files open.
  /// - Throws: ``AppConfigurationFault``.
  package init(
    server: String, state: String, isStaging: Bool = false, remembersEnvironment: Bool = false,
    hasQueues: Bool = false
  ) throws(AppConfigurationFault) {
    guard let url = URL(string: server), url.scheme == "https", let port = url.port else {
      throw .server(server)
    }
    let folder = URL(filePath: state, directoryHint: .isDirectory)
    func path(_ name: String) -> String { folder.appending(path: name).path }
    let authorities = path("ca.pem")
    guard FileManager.default.isReadableFile(atPath: authorities) else { throw .missing(authorities) }
    let keyFile = path("demo-key.json")
    guard let key = FileManager.default.contents(atPath: keyFile) else { throw .missing(keyFile) }
    self.init(port: port, authorities: authorities, keys: try Self.keys(of: key, in: keyFile))
    environment = isStaging ? .releaseCandidate : .release
    files.cookies = path("cookies")
    if remembersEnvironment { files.environments = path("environments.json") }
    if hasQueues {
      files.responses = path("responses")
      // The ports in a list are those of one server.
      files.addresses = path("addresses-\(port)")
      files.alternativeServices = path("alt-svc")
      activity = path("activity.sqlite")
      mutations = path("mutations.sqlite")
      data = path("data")
      deployments = try DeploymentFiles(in: folder)
      worksInBackground = true
    }
    pages = try SitePages.store(in: folder)
    if let pem = FileManager.default.contents(atPath: path("redirect-key.pem")) {
      redirectVerifier = RedirectKey(pem: [UInt8](pem))
      if redirectVerifier == nil { throw .redirectKey(path("redirect-key.pem")) }
    }
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

/// Why the app can't start.
package enum AppConfigurationFault: Error, Hashable, CustomStringConvertible {
  case server(String)
  case missing(String)
  case key(String)
  case redirectKey(String)
  case pageKey(String)
  case deploymentKey(String)

  package var description: String {
    switch self {
    case .server(let url):
      "\"\(url)\" is not the server's URL; give https://localhost:PORT, as estate-server prints it."
    case .missing(let path): "\(path) is missing; start estate-server with this state folder first."
    case .key(let path):
      "\(path) is not a signing key; delete it and start estate-server again, which makes a new one."
    case .redirectKey(let path), .pageKey(let path), .deploymentKey(let path):
      "\(path) is not an Ed25519 public key; write one with openssl pkey -pubout, or delete the file."
    }
  }
}
