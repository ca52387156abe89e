import HTTPTypes
import Interception

/// The origins that receive credentials: scheme, host and port (RFC 6454, section 4), without regard to case
/// and to a dot at the end of the host.
struct ProtectedOrigins: Sendable {
  /// Canonical authorities: in lower case, without the scheme's default port.
  private let secure: [String]
  private let plain: [String]

  init(_ texts: [String]) throws(AuthorizationIssue) {
    var faults: [AuthorizationIssue.Fault] = texts.isEmpty ? [.noOrigin] : []
    var secure: [String] = []
    var plain: [String] = []
    for text in texts {
      guard let (isSecure, authority) = Self.parse(text) else {
        faults.append(.malformedOrigin(text))
        continue
      }
      if isSecure { secure.append(authority) } else { plain.append(authority) }
    }
    guard faults.isEmpty else { throw AuthorizationIssue(faults: faults) }
    self.secure = secure
    self.plain = plain
  }

  /// Whether a request is sent to one of the origins.
  func contain(_ head: HTTPRequest) -> Bool {
    guard let authority = head.authority, let scheme = head.scheme else { return false }
    switch scheme {
    case "https": return Self.holds(secure, authority, defaultPort: ":443")
    case "http": return Self.holds(plain, authority, defaultPort: ":80")
    default: return false
    }
  }

  /// A request to the first of the origins.
  var example: Request? {
    (secure.first ?? plain.first).map {
      Request(scheme: secure.isEmpty ? "http" : "https", authority: $0, path: "/")
    }
  }

  private static func holds(_ origins: [String], _ authority: String, defaultPort: String) -> Bool {
    if origins.isEmpty { return false }
    // Almost every authority is canonical.
    if origins.contains(authority) { return true }
    guard
      authority.utf8.contains(where: { $0 == UInt8(ascii: ":") || (0x41...0x5A).contains($0) })
        || authority.utf8.last == UInt8(ascii: ".")
    else { return false }
    return origins.contains(canonical(authority, defaultPort: defaultPort))
  }

  private static func canonical(_ authority: some StringProtocol, defaultPort: String) -> String {
    let comparable = AuthoritySyntax.comparable(authority: authority)
    return comparable.hasSuffix(defaultPort) ? String(comparable.dropLast(defaultPort.count)) : comparable
  }

  private static func parse(_ text: String) -> (isSecure: Bool, authority: String)? {
    let isPlain = text.hasPrefix("http://")
    let authority =
      isPlain ? text.dropFirst(7) : text.hasPrefix("https://") ? text.dropFirst(8) : text[...]
    guard isAuthority(authority) else { return nil }
    return (!isPlain, canonical(authority, defaultPort: isPlain ? ":80" : ":443"))
  }

  static func isAuthority(_ authority: Substring) -> Bool {
    var host = authority
    if let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") {
      guard AuthoritySyntax.port(authority[authority.index(after: colon)...]) != nil else { return false }
      host = authority[..<colon]
    }
    return AuthoritySyntax.isHost(host)
  }
}
