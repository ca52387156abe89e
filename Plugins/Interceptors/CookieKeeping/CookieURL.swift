import HTTPTypes
import Interception

/// The parts of a URL that determine which cookies belong to it (RFC 6265bis, sections 5.1.2 to 5.1.4).
struct CookieURL: Sendable, Hashable {
  /// The host in lower case, without a port; an IPv6 address is in brackets.
  let host: String
  /// The path without the query.
  let path: Substring
  /// Whether cookies that are `Secure` belong to the URL: over https, and over http for hosts of this
  /// machine, as in browsers.
  let isSecure: Bool

  /// The maximum length of a host in bytes; a domain has at most 253.
  static let maximumHostLength = 1_024

  /// Creates the URL of a request; nil if it has no host, or one that can't be written in ASCII or is too
  /// long.
  init?(_ head: HTTPRequest) {
    guard let authority = head.authority, let host = Self.host(of: authority), Self.isValid(host: host)
    else { return nil }
    self.host = host
    let path = head.path ?? ""
    self.path = path.utf8.firstIndex(of: UInt8(ascii: "?")).map { path[..<$0] } ?? path[...]
    let scheme = head.scheme ?? ""
    isSecure =
      scheme == "https" || AuthoritySyntax.isPotentiallyTrustworthy(scheme: scheme, host: host[...])
  }

  private static func host(of authority: String) -> String? {
    // Almost every authority is a name in lower case without a port.
    if !authority.isEmpty,
      authority.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x2D...0x2E).contains($0) })
    {
      return authority
    }
    let authority = authority.lowercased()
    let bytes = authority.utf8
    // A user name may contain colons.
    guard !bytes.contains(UInt8(ascii: "@")) else { return nil }
    let isBracketed = bytes.first == UInt8(ascii: "[")
    guard let portStart = isBracketed ? bytes.firstIndex(of: UInt8(ascii: "]")) : bytes.startIndex else {
      return nil
    }
    let colon = bytes[portStart...].firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
    let host = authority[..<colon]
    guard host.utf8.count <= maximumHostLength else { return nil }
    // The form that a resolver and the `Domain` of a cookie have.
    return Punycode.domain(String(host))
  }

  /// Whether a cookie can have a host as its domain, which is part of a URL or of a file.
  static func isValid(host: String) -> Bool {
    (1...maximumHostLength).contains(host.utf8.count)
      && host.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  /// Whether the host is an address, which has no parent domain.
  var isAddress: Bool { Self.isAddress(host) }

  /// The path of cookies that are set without one (section 5.1.4).
  var defaultPath: String {
    guard path.utf8.first == UInt8(ascii: "/"), let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
      slash != path.startIndex
    else { return "/" }
    return String(path[..<slash])
  }

  /// Whether a host is a domain, or in it (section 5.1.3).
  static func isHost(_ host: String, inDomain domain: String) -> Bool {
    if host == domain { return true }
    let prefix = host.utf8.dropLast(domain.utf8.count)
    guard prefix.count < host.utf8.count, prefix.last == UInt8(ascii: "."),
      host.utf8.suffix(domain.utf8.count).elementsEqual(domain.utf8)
    else { return false }
    return !isAddress(host)
  }

  /// Whether a path is that of a cookie, or below it (section 5.1.4).
  static func isPath(_ path: Substring, below cookiePath: String) -> Bool {
    let path = path.utf8.isEmpty ? Substring("/").utf8 : path.utf8
    let start = cookiePath.utf8
    guard path.starts(with: start) else { return false }
    return path.count == start.count || start.last == UInt8(ascii: "/")
      || path.dropFirst(start.count).first == UInt8(ascii: "/")
  }

  private static func isAddress(_ host: String) -> Bool {
    if host.utf8.first == UInt8(ascii: "[") { return true }
    // Most names end in a letter, and no IPv4 address does.
    guard let last = host.utf8.last, (0x30...0x39).contains(last) else { return false }
    return IPAddress(host) != nil
  }
}
