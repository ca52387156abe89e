import Interception

/// A server that forwards requests to their origins.
public struct Proxy: Sendable, Hashable {
  /// The protocol between the dispatcher and the proxy.
  package enum Kind: String, Sendable, Hashable {
    /// HTTP: http requests are sent in absolute form, https requests through a `CONNECT` tunnel.
    case http
    /// As ``http``, over TLS; ``TLSPolicy`` holds for the proxy's certificate too.
    case https
    /// SOCKS version 5 (RFC 1928); the proxy looks up names.
    case socks5
  }

  /// A user's name and password, which descriptions and dumps don't show.
  package struct Credentials: Sendable, Hashable {
    let user: String
    let password: String

    /// Creates credentials, which are sent as `Basic`, or as in RFC 1929.
    ///
    /// Requests fail with `NetworkError.Kind.invalidRequest` if a part holds a control character, if it is
    /// longer than 255 bytes and sent by SOCKS, or if the user's name holds a colon and is sent by HTTP.
    package init(user: String, password: String) {
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
  package var kind: Kind
  /// The proxy's name or address; an IPv6 address without brackets, with a zone if it is link-local
  /// (`fe80::1%eth0`).
  package var host: String
  /// The proxy's port.
  package var port: Int
  /// The credentials for the proxy; nil sends none.
  package var credentials: Credentials?
  /// Whether http requests go through a `CONNECT` tunnel too, which tells the proxy nothing but the host.
  package var tunnelsHTTP: Bool

  /// Creates a proxy.
  ///
  /// - Parameters:
  ///   - kind: The protocol of the proxy.
  ///   - host: The proxy's name or address; an IPv6 address without brackets, with a zone if it is link-local
  ///     (`fe80::1%eth0`).
  ///   - port: The proxy's port.
  ///   - credentials: The credentials for the proxy; nil sends none.
  ///   - tunnelsHTTP: Whether http requests go through a `CONNECT` tunnel too, which tells the proxy nothing
  ///     but the host.
  package init(
    _ kind: Kind, host: String, port: Int, credentials: Credentials? = nil, tunnelsHTTP: Bool = false
  ) {
    self.kind = kind
    self.host = host
    self.port = port
    self.credentials = credentials
    self.tunnelsHTTP = tunnelsHTTP
  }

  var authority: String {
    guard host.utf8.contains(UInt8(ascii: ":")) else { return "\(host):\(port)" }
    return "\((try? ScopedAddress(host))?.host ?? "[\(host)]"):\(port)"
  }

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

extension Proxy.Credentials: Concealed, CustomStringConvertible {
  /// A placeholder.
  package var description: String { "<redacted>" }
}

extension Proxy {
  /// Checks what libcurl would cut off or read as another host, kind or user; the error shows no credential.
  func check() throws(NetworkError) {
    guard isHost else {
      throw .invalidRequest(
        "The proxy's host \"\(host.printable)\" is neither an ASCII name nor an address in its usual form; correct it in "
          + "ProxyPolicy.")
    }
    guard (1...65_535).contains(port) else {
      throw .invalidRequest("The proxy's port \(port) is not from 1 to 65535; correct it in ProxyPolicy.")
    }
    guard let credentials else { return }
    try check(credentials.user, as: "user name")
    try check(credentials.password, as: "password")
    guard kind == .socks5 || !credentials.user.utf8.contains(UInt8(ascii: ":")) else {
      throw .invalidRequest("The user name for the proxy \(self) holds a colon, which ends it; use another.")
    }
  }

  private var isHost: Bool {
    if let address = try? ScopedAddress(host), address.address.isVersion6 { return true }
    return !host.isEmpty && host.utf8.allSatisfy(RequestTarget.isHostByte)
      && !AuthoritySyntax.isAmbiguous(host: host[...])
  }

  // RFC 7617, section 2, allows no control characters; RFC 1929 has one byte for the length.
  private func check(_ credential: String, as part: String) throws(NetworkError) {
    guard !credential.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw .invalidRequest(
        "The \(part) for the proxy \(self) holds a control character; remove it from the proxy's URL.")
    }
    guard kind != .socks5 || credential.utf8.count <= 255 else {
      throw .invalidRequest("The \(part) for the proxy \(self) exceeds the 255 bytes of SOCKS; shorten it.")
    }
  }
}
