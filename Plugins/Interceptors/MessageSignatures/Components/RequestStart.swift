/// The method and target of a request, and the values derived from them (RFC 9421, section 2.2).
struct RequestStart: Sendable, Hashable {
  let method: String
  /// In lower case.
  let scheme: String
  /// In lower case, without the scheme's default port; nil if it is unknown.
  let authority: String?
  /// The target as on the request line of HTTP/1.1.
  let target: String
  /// The path with its query; empty for a target without one.
  let pathAndQuery: String

  init(method: String, scheme: String, authority: String?, target: String) {
    self.method = method
    self.target = target
    guard let url = Self.split(target), method != "CONNECT" else {
      self.scheme = Self.lowercased(scheme)
      self.authority = authority.map { [scheme = self.scheme] in Self.normalized($0, scheme: scheme) }
      pathAndQuery = target.utf8.first == UInt8(ascii: "/") ? target : ""
      return
    }
    // The authority of a URL as target takes precedence over Host (RFC 9112, section 3.2.2).
    self.scheme = Self.lowercased(url.scheme)
    self.authority = Self.normalized(url.authority, scheme: self.scheme)
    pathAndQuery = url.path
  }

  /// The whole URI; nil without an authority, and for CONNECT.
  var targetURI: String? {
    guard let authority, method != "CONNECT" else { return nil }
    return "\(scheme)://\(authority)\(pathAndQuery)"
  }

  /// The path without its query; a slash if it is empty.
  var path: String {
    let utf8 = pathAndQuery.utf8
    let end = utf8.firstIndex(of: UInt8(ascii: "?")) ?? utf8.endIndex
    return end == utf8.startIndex ? "/" : String(pathAndQuery[..<end])
  }

  /// The query with its question mark; a question mark if there is no query.
  var query: String {
    guard let mark = pathAndQuery.utf8.firstIndex(of: UInt8(ascii: "?")) else { return "?" }
    return String(pathAndQuery[mark...])
  }

  /// Splits a target in absolute form.
  private static func split(_ target: String) -> (scheme: String, authority: String, path: String)? {
    let text = Array(target.utf8)
    guard text.first != UInt8(ascii: "/"), let colon = text.firstIndex(of: UInt8(ascii: ":")), colon > 0,
      text[colon...].starts(with: "://".utf8)
    else { return nil }
    let rest = text[(colon + 3)...]
    let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
    return (
      String(decoding: text[..<colon], as: UTF8.self), String(decoding: rest[..<end], as: UTF8.self),
      String(decoding: rest[end...], as: UTF8.self)
    )
  }

  /// Returns an authority as RFC 9110, section 4.2.3 normalizes it.
  private static func normalized(_ authority: String, scheme: String) -> String {
    let authority = lowercased(authority)
    let port = scheme == "https" ? ":443" : scheme == "http" ? ":80" : ":"
    for suffix in [port, ":"] where authority.utf8.count > suffix.utf8.count && authority.hasSuffix(suffix) {
      return String(Substring(authority.utf8.dropLast(suffix.utf8.count)))
    }
    return authority
  }

  /// Returns a text with ASCII letters in lower case; nearly all are, and need no copy.
  private static func lowercased(_ text: String) -> String {
    guard text.utf8.contains(where: { (0x41...0x5A).contains($0) }) else { return text }
    return String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
