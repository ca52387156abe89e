// Texts are split at bytes: a separator and a combining character after it are one Character, which is no
// separator.
extension Redaction {
  /// Returns host and port, without the user name and password that may precede them.
  public func authority(_ authority: String) -> String {
    authority.utf8.lastIndex(of: UInt8(ascii: "@")).map {
      String(authority[authority.utf8.index(after: $0)...])
    }
      ?? authority
  }

  /// Returns a path with its query and fragment as they may be shown.
  public func path(_ pathAndQuery: String) -> String {
    let (rest, fragment) = Self.split(pathAndQuery[...], at: "#")
    let (path, query) = Self.split(rest, at: "?")
    return String(path) + (query.map { "?" + self.query(String($0)) } ?? "")
      + (fragment == nil ? "" : "#\(mark)")
  }

  /// Returns a query, or a body of the same form, as it may be shown: names stay, values go.
  ///
  /// A piece without `=` is hidden as a whole, because it may be a value.
  public func query(_ query: String) -> String {
    query.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { pair in
      let (name, value) = Self.split(Substring(pair), at: "=")
      guard let value else { return pair.isEmpty ? "" : mark }
      return shownQueryNames.contains(String(name)) ? "\(name)=\(value)" : "\(name)=\(mark)"
    }.joined(separator: "&")
  }

  /// Returns a URL, whole or relative, as it may be shown.
  public func url(_ url: String) -> String {
    // The authority begins after the first two slashes, unless a path or a query began before.
    guard let slashes = url.utf8.firstRange(of: "//".utf8),
      url.utf8[..<slashes.lowerBound].allSatisfy({ !"/?#".utf8.contains($0) })
    else { return path(url) }
    let rest = url[slashes.upperBound...]
    let end = rest.utf8.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
    return url[..<slashes.upperBound] + authority(String(rest[..<end])) + path(String(rest[end...]))
  }

  private static func split(_ text: Substring, at separator: Unicode.Scalar) -> (Substring, Substring?) {
    guard let index = text.utf8.firstIndex(of: UInt8(ascii: separator)) else { return (text, nil) }
    return (text[..<index], text[text.utf8.index(after: index)...])
  }
}
