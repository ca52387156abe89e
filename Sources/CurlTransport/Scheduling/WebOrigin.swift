/// Scheme, host and port (RFC 6454): what connections are shared by.
struct WebOrigin: Sendable, Hashable {
  /// The schemes that are spoken.
  enum Scheme: String, Sendable, Hashable {
    case http
    case https

    var defaultPort: Int { self == .http ? 80 : 443 }
  }

  let scheme: Scheme
  /// In lower case; an IPv6 address is in brackets.
  let host: String
  let port: Int
}

extension WebOrigin: CustomStringConvertible {
  /// Host and port, as error sentences name them.
  var description: String { "\(host):\(port)" }
}
