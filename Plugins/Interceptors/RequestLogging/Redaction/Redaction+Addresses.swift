// Text is split at bytes, because a separator followed by a combining character is a single Character that
// doesn't equal the separator.
extension Redaction {
  /// Returns host and port, without a preceding user name and password.
  public func authority(_ authority: String) -> String {
    // Uses contiguous bytes, because each access to a string's view looks up its storage.
    let hasName = authority.utf8.withContiguousStorageIfAvailable { $0.contains(UInt8(ascii: "@")) }
    guard hasName != false, let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) else { return authority }
    return String(authority[authority.utf8.index(after: at)...])
  }

  /// Returns a path with its query and fragment redacted.
  public func path(_ pathAndQuery: String) -> String {
    let (rest, fragment) = Self.split(pathAndQuery[...], at: "#")
    let (path, query) = Self.split(rest, at: "?")
    return String(path) + (query.map { "?" + self.query(String($0)) } ?? "")
      + (fragment == nil ? "" : "#\(mark)")
  }

  /// Returns a query, or a form-encoded body, with its names kept and its values hidden.
  ///
  /// A part without `=` is hidden as a whole, because it may be a value.
  public func query(_ query: String) -> String {
    var query = query
    return query.withUTF8 { bytes in
      var shown: [UInt8] = []
      shown.reserveCapacity(bytes.count + 4 * mark.utf8.count)
      var start = 0
      while true {
        let end = bytes[start...].firstIndex(of: UInt8(ascii: "&")) ?? bytes.count
        if let equals = bytes[start..<end].firstIndex(of: UInt8(ascii: "=")) {
          let isShown =
            !shownQueryNames.isEmpty
            && shownQueryNames.contains(String(decoding: bytes[start..<equals], as: UTF8.self))
          shown += bytes[start...(isShown ? end - 1 : equals)]
          if !isShown { shown += mark.utf8 }
        } else if start < end {
          shown += mark.utf8
        }
        guard end < bytes.count else { break }
        shown.append(UInt8(ascii: "&"))
        start = end + 1
      }
      return String(decoding: shown, as: UTF8.self)
    }
  }

  /// Returns an absolute or relative URL, redacted.
  public func url(_ url: String) -> String {
    // The authority follows the first two slashes, unless a path or a query starts before them.
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
