/// Why the app can't start.
public enum AppConfigurationFault: Error, Hashable, CustomStringConvertible {
  /// The server's URL is not valid.
  case server(String)
  /// A file of the server is missing.
  case missing(String)
  /// The signing key can't be read.
  case key(String)
  /// The key for redirect tables can't be read.
  case redirectKey(String)
  /// The key for page packages can't be read.
  case pageKey(String)

  /// The key for deployment documents, or their folder, can't be used.
  case deploymentKey(String)

  /// What happened and what to do.
  public var description: String {
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
