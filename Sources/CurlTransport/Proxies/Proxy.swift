/// A server through which requests go to theirs.
public struct Proxy: Sendable, Hashable {
  /// What is spoken with the proxy.
  public enum Kind: String, Sendable, Hashable {
    /// HTTP: requests of http go in absolute form, those of https through a `CONNECT` tunnel.
    case http
    /// As ``http``, inside TLS; the proxy's certificate is checked under the same ``TLSPolicy``.
    case https
    /// SOCKS version 5 (RFC 1928); names are looked up by the proxy.
    case socks5
  }

  /// A user's name and password; descriptions and dumps show neither.
  public struct Credentials: Sendable, Hashable {
    let user: String
    let password: String

    /// Makes credentials, sent to the proxy as `Basic`, or by RFC 1929.
    ///
    /// With a control character in them, a colon in the user's name for HTTP, or more than 255 bytes for
    /// SOCKS, requests fail with `NetworkError.Kind.invalidRequest`.
    public init(user: String, password: String) {
      self.user = user
      self.password = password
    }

    /// Both, percent-encoded and joined by a colon.
    var encoded: String { "\(Self.encoded(user)):\(Self.encoded(password))" }

    private static func encoded(_ text: String) -> String {
      text.utf8.reduce(into: "") { encoded, byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "a")...UInt8(ascii: "z"):
          encoded.append(Character(UnicodeScalar(byte)))
        default: encoded += "%" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
        }
      }
    }
  }

  /// What is spoken with the proxy.
  public var kind: Kind
  /// The proxy's name or address; an IPv6 address without brackets.
  public var host: String
  /// The proxy's port.
  public var port: Int
  /// What the proxy asks for; nil where it asks for nothing.
  public var credentials: Credentials?
  /// Whether requests of http too go through a `CONNECT` tunnel, where the proxy sees no more than the host.
  public var tunnelsHTTP: Bool

  /// Makes a proxy.
  public init(
    _ kind: Kind, host: String, port: Int, credentials: Credentials? = nil, tunnelsHTTP: Bool = false
  ) {
    self.kind = kind
    self.host = host
    self.port = port
    self.credentials = credentials
    self.tunnelsHTTP = tunnelsHTTP
  }

  /// Host and port in the form of a URL's authority.
  var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// Whether a request of this scheme travels inside a tunnel, which the proxy cannot look into.
  func tunnels(_ scheme: WebOrigin.Scheme) -> Bool { kind == .socks5 || scheme == .https || tunnelsHTTP }

  /// The request target in the form that this proxy needs (RFC 9112, section 3.2.2).
  func requestTarget(of target: RequestTarget) -> String {
    guard !tunnels(target.origin.scheme) else { return target.path }
    let base = "\(target.origin.scheme.rawValue)://\(target.authority)"
    // Of OPTIONS * the proxy makes the asterisk again (RFC 9112, section 3.2.4).
    return target.path == "*" ? base : base + target.path
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
