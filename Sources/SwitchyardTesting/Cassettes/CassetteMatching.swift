/// When a request is the one that was recorded.
///
/// Header fields are never compared: what distinguishes requests of an API stands in method, address and
/// content.
public struct CassetteMatching: Sendable, Hashable {
  /// Whether scheme and authority must be the same.
  public var comparesAuthority: Bool
  /// Whether path and query must be the same.
  public var comparesPath: Bool
  /// The names of query items that don't count, in lower case; the order of the others does.
  public var volatileQueryNames: Set<String>
  /// Whether the content must be the same, by its hash.
  public var comparesContent: Bool

  /// Makes rules; everything counts by default but time stamps and nonces.
  public init(
    comparesAuthority: Bool = true, comparesPath: Bool = true,
    volatileQueryNames: Set<String> = ["nonce", "timestamp", "ts", "_"], comparesContent: Bool = true
  ) {
    self.comparesAuthority = comparesAuthority
    self.comparesPath = comparesPath
    self.volatileQueryNames = Set(volatileQueryNames.map { $0.lowercased() })
    self.comparesContent = comparesContent
  }

  /// Why two requests differ; nil where they match.
  func difference(_ asked: Cassette.Asked, _ recorded: Cassette.Asked) -> String? {
    if asked.method != recorded.method { return "the method is \(recorded.method)" }
    if comparesAuthority, (asked.scheme, asked.authority) != (recorded.scheme, recorded.authority) {
      return "the origin is \(recorded.scheme)://\(recorded.authority)"
    }
    if comparesPath, steady(asked.path) != steady(recorded.path) { return "the path is \(recorded.path)" }
    if comparesContent, asked.body?.bytes != recorded.body?.bytes {
      return "the content has another hash (\(recorded.body?.sha256.prefix(12) ?? "none"))"
    }
    return nil
  }

  /// The path without the items that don't count.
  private func steady(_ path: String) -> String {
    guard let mark = path.firstIndex(of: "?") else { return path }
    let items = path[path.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
      .filter { item in
        let name = CassetteRedaction.decoded(item.prefix { $0 != "=" }).lowercased()
        return !volatileQueryNames.contains(name)
      }
    return items.isEmpty ? String(path[..<mark]) : path[...mark] + items.joined(separator: "&")
  }
}
