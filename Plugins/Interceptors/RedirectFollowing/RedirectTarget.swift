import HTTPTypes
import Interception

/// An http or https URL in a form in which equal URLs compare equal (RFC 9110, section 4.2.3).
struct RedirectTarget: Sendable, Hashable {
  /// Whether the scheme is https.
  let isSecure: Bool
  /// The host in lower case; an IPv6 address is in brackets.
  let host: String
  /// The port, or nil if it is the scheme's default.
  let port: Int?
  /// The path, which starts with a slash.
  let path: String
  /// The query, if any.
  let query: String?
  /// The fragment, if any.
  var fragment: String?

  /// Why a reference is not a target.
  enum Fault: Error, Hashable {
    /// The scheme is neither http nor https.
    case scheme(String)
    /// The authority is invalid; the text says why.
    case authority(String)
  }

  /// The target of a request; nil if it has none to which a reference could be relative, such as `*`.
  init?(_ head: HTTPRequest) {
    guard let authority = head.authority, head.method != .connect else { return nil }
    let path = head.path ?? ""
    var reference = URIReference(path: path)
    if let mark = path.utf8.firstIndex(of: UInt8(ascii: "?")) {
      reference.path = String(path[..<mark])
      reference.query = String(path[path.utf8.index(after: mark)...])
    }
    guard path.isEmpty || path.utf8.first == UInt8(ascii: "/") else { return nil }
    reference.scheme = head.scheme ?? "https"
    reference.authority = authority
    guard let target = try? RedirectTarget(reference) else { return nil }
    self = target
  }

  /// Creates a target from an absolute reference.
  init(_ reference: URIReference) throws(Fault) {
    let scheme = reference.scheme?.lowercased() ?? ""
    guard scheme == "https" || scheme == "http" else { throw .scheme(scheme) }
    isSecure = scheme == "https"
    let (host, port) = try Self.hostAndPort(reference.authority ?? "")
    self.host = host
    self.port = port == (isSecure ? 443 : 80) ? nil : port
    path = reference.path.isEmpty ? "/" : reference.path
    query = reference.query
    fragment = reference.fragment
  }

  /// The scheme.
  var scheme: String { isSecure ? "https" : "http" }
  /// The host, and the port unless it is the default.
  var authority: String { port.map { "\(host):\($0)" } ?? host }
  /// The path and the query.
  var pathAndQuery: String { query.map { "\(path)?\($0)" } ?? path }
  /// The URL, with query and fragment.
  var url: String { "\(scheme)://\(authority)\(pathAndQuery)" + (fragment.map { "#\($0)" } ?? "") }

  /// The components as a base of references.
  var reference: URIReference {
    URIReference(scheme: scheme, authority: authority, path: path, query: query)
  }

  /// Whether two targets have the same scheme, host and port (RFC 6454, section 5).
  func hasOrigin(of other: RedirectTarget) -> Bool {
    isSecure == other.isSecure && host == other.host && port == other.port
  }

  /// Whether the host is an address that no server on the Internet has, or `localhost` (RFC 6761, section
  /// 6.3).
  var isPrivate: Bool {
    if host.first == "[" {
      return (try? ScopedAddress(host.dropFirst().dropLast()))?.address.specialPurpose != nil
    }
    if let address = IPAddress(host) { return address.specialPurpose != nil }
    return AuthoritySyntax.isLoopbackName(host[...])
  }

  private static func hostAndPort(_ authority: String) throws(Fault) -> (host: String, port: Int?) {
    guard !authority.utf8.contains(UInt8(ascii: "@")) else {
      throw .authority("it contains a user name, which would be sent as credentials of the server's choice")
    }
    let host: String
    let rest: Substring
    if authority.utf8.first == UInt8(ascii: "[") {
      guard let end = authority.utf8.firstIndex(of: UInt8(ascii: "]")),
        let address = try? ScopedAddress(authority[..<end].dropFirst()), address.address.isVersion6
      else { throw .authority("the text in brackets is not an IPv6 address") }
      host = address.host
      rest = authority[authority.utf8.index(after: end)...]
    } else {
      let end = authority.utf8.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
      let name = authority[..<end]
      guard !name.isEmpty, name.utf8.count <= 255, name.utf8.allSatisfy(isHostByte) else {
        throw .authority("its host is not a name of letters, digits, hyphens, dots and underscores")
      }
      guard !AuthoritySyntax.isAmbiguous(host: name) else {
        throw .authority("parsers interpret its host as different addresses")
      }
      host = name.lowercased()
      rest = authority[end...]
    }
    // A port may be empty (RFC 3986, section 3.2.3).
    if rest.isEmpty || rest == ":" { return (host, nil) }
    guard rest.utf8.first == UInt8(ascii: ":"), let port = AuthoritySyntax.port(rest.dropFirst()) else {
      throw .authority("its port is not a number from 1 to 65535 without leading zeros")
    }
    return (host, port)
  }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- 0x61 < 26 || (0x30...0x39).contains(byte) || "-._".utf8.contains(byte)
  }
}
