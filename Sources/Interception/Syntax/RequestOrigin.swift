package import HTTPTypes

/// The origin of a request's URL: scheme, host and port (RFC 9110, section 4.3.1).
package struct RequestOrigin: Sendable, Hashable, CustomStringConvertible {
  private let scheme: String
  private let authority: String

  /// Creates the origin of a request; case, a user name and the scheme's default port are ignored.
  package init(_ head: HTTPRequest) {
    scheme = Self.lowercased(head.scheme ?? "")
    var authority = Self.lowercased(head.authority ?? "")
    if let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) {
      authority = String(authority[authority.utf8.index(after: at)...])
    }
    let port = scheme == "https" ? ":443" : scheme == "http" ? ":80" : nil
    if let port, authority.utf8.count > port.utf8.count, authority.hasSuffix(port) {
      authority.removeLast(port.utf8.count)
    }
    self.authority = authority
  }

  /// Returns a text in lower case; nearly all are, and need no copy.
  private static func lowercased(_ text: String) -> String {
    text.utf8.contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ? text.lowercased() : text
  }

  /// The origin as a URL without a path, such as "https://api.example:8443".
  package var description: String { "\(scheme)://\(authority)" }
}
