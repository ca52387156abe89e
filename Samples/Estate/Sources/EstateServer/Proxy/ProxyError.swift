/// Why there is no proxy in front of the API.
public enum ProxyError: Error, Hashable, CustomStringConvertible {
  /// The nginx program was not found.
  case nginxMissing
  /// nginx ended by itself; the output is the end of what it wrote.
  case nginxEnded(output: String)

  /// What happened and what to do.
  public var description: String {
    switch self {
    case .nginxMissing:
      "The program nginx, which terminates TLS and HTTP/2, is neither on PATH nor in /usr/sbin; "
        + "install it (Scripts/install-dependencies, or apt-get install nginx)."
    case .nginxEnded(let output):
      "nginx, which terminates TLS and HTTP/2, ended by itself\(output.isEmpty ? "." : ": \(output)")"
    }
  }
}
