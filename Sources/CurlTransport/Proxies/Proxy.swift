/// A server that forwards requests to their origins.
public struct Proxy: Sendable, Hashable {
  /// The protocol between the dispatcher and the proxy.
  public enum Kind: String, Sendable, Hashable {
    /// HTTP: http requests are sent in absolute form, https requests through a `CONNECT` tunnel.
    case http
    /// As ``http``, over TLS; ``TLSPolicy`` holds for the proxy's certificate too.
    case https
    /// SOCKS version 5 (RFC 1928); the proxy looks up names.
    case socks5
  }

  /// A user's name and password, which descriptions and dumps don't show.
  public struct Credentials: Sendable, Hashable {
    let user: String
    let password: String

    /// Creates credentials, which are sent as `Basic`, or as in RFC 1929.
    ///
    /// Requests fail with `NetworkError.Kind.invalidRequest` if a part holds a control character, if it is
    /// longer than 255 bytes and sent by SOCKS, or if the user's name holds a colon and is sent by HTTP.
    public init(user: String, password: String) {
      self.user = user
      self.password = password
    }

    /// Both, percent-encoded and joined by a colon.
    var encoded: String { "\(Self.encoded(user)):\(Self.encoded(password))" }

    private static func encoded(_ text: String) -> String {
      text.utf8.reduce(into: "") { encoded, byte in
        encoded +=
          byte.isAlphanumeric
          ? String(UnicodeScalar(byte)) : "%" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
      }
    }
  }

  /// The protocol of the proxy.
  public var kind: Kind
  /// The proxy's name or address; an IPv6 address without brackets.
  public var host: String
  /// The proxy's port.
  public var port: Int
  /// The credentials for the proxy; nil sends none.
  public var credentials: Credentials?
  /// Whether http requests go through a `CONNECT` tunnel too, which tells the proxy nothing but the host.
  public var tunnelsHTTP: Bool

  /// Creates a proxy.
  public init(
    _ kind: Kind, host: String, port: Int, credentials: Credentials? = nil, tunnelsHTTP: Bool = false
  ) {
    self.kind = kind
    self.host = host
    self.port = port
    self.credentials = credentials
    self.tunnelsHTTP = tunnelsHTTP
  }

  var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  func tunnels(_ scheme: WebOrigin.Scheme) -> Bool { kind == .socks5 || scheme == .https || tunnelsHTTP }

  /// The request target in the form that the proxy requires (RFC 9112, section 3.2.2).
  func requestTarget(_ path: String, at site: RequestSite) -> String {
    guard !tunnels(site.origin.scheme) else { return path }
    let base = "\(site.origin.scheme.rawValue)://\(site.authority)"
    // The proxy restores the asterisk of OPTIONS * (RFC 9112, section 3.2.4).
    return path == "*" ? base : base + path
  }
}

extension Proxy: CustomStringConvertible {
  /// Kind, host and port, without credentials.
  public var description: String { "\(kind.rawValue)://\(authority)" }
}

extension Proxy.Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// A placeholder.
  public var description: String { "<redacted>" }
  /// A placeholder.
  public var debugDescription: String { description }
  /// Nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
