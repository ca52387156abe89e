import HTTPTypes
import Interception

/// The URL of a token endpoint (RFC 6749, section 3.2).
struct TokenEndpoint: Sendable, Hashable {
  let scheme: String
  let authority: String
  /// The path with its query.
  let path: String

  /// Parses `https://host/path?query`; nil for anything else, such as a URL with a user or a fragment.
  init?(_ url: String) {
    let scheme = url.hasPrefix("https://") ? "https" : url.hasPrefix("http://") ? "http" : nil
    guard let scheme else { return nil }
    let rest = url.dropFirst(scheme.utf8.count + 3)
    let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    guard ProtectedOrigins.isAuthority(rest[..<end]),
      rest[end...].utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") })
    else { return nil }
    self.scheme = scheme
    authority = String(rest[..<end])
    path = rest[end...].hasPrefix("/") ? String(rest[end...]) : "/" + rest[end...]
  }
}
