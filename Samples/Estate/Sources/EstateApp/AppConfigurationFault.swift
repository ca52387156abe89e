/// Why the app can't start.
public enum AppConfigurationFault: Error, Hashable, CustomStringConvertible {
  /// The server's URL is none.
  case server(String)
  /// A file of the server's is not there.
  case missing(String)
  /// The signing key can't be read.
  case key(String)
  /// The key of the redirect tables can't be read.
  case redirectKey(String)

  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .server(let url):
      "\(url) is not the server's URL; say https://localhost:PORT, as estate-server prints it."
    case .missing(let path): "\(path) is not there; start estate-server with this state folder first."
    case .key(let path):
      "\(path) holds no signing key; remove it and start estate-server again, which makes a new one."
    case .redirectKey(let path):
      "\(path) holds no Ed25519 public key; write one with openssl pkey -pubout, or remove the file."
    }
  }
}
