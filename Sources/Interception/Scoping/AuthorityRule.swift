import HTTPTypes

/// The requests to one authority, without regard to case or to the default port of http and https.
struct AuthorityRule: Sendable, Hashable {
  /// The authority in lower case.
  private let authority: String
  /// The authority without the default port of https, if it states it.
  private let secureHost: Substring?
  /// The authority without the default port of http, if it states it.
  private let plainHost: Substring?

  init(_ authority: String) {
    let authority = authority.lowercased()
    self.authority = authority
    secureHost = Self.host(of: authority[...], without: ":443")
    plainHost = Self.host(of: authority[...], without: ":80")
  }

  func contains(_ request: Request) -> Bool {
    let head = request.head
    guard let other = head.authority else { return false }
    // Nearly all authorities are in lower case and don't state a default port.
    return other == authority || matches(other.lowercased(), scheme: head.scheme?.lowercased())
  }

  private func matches(_ other: String, scheme: String?) -> Bool {
    guard other != authority else { return true }
    switch scheme {
    case "https": return same(secureHost, Self.host(of: other[...], without: ":443"), other)
    case "http": return same(plainHost, Self.host(of: other[...], without: ":80"), other)
    default: return false
    }
  }

  private func same(_ host: Substring?, _ otherHost: Substring?, _ other: String) -> Bool {
    (host ?? authority[...]) == (otherHost ?? other[...])
  }

  private static func host(of authority: Substring, without port: String) -> Substring? {
    authority.hasSuffix(port) ? authority.dropLast(port.count) : nil
  }
}
