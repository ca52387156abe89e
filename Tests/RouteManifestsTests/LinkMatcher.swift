import RouteManifests

/// Matches links with components as Apple documents it: `*` is any run of characters, `?` is one character,
/// and the first match decides.
enum LinkMatcher {
  static func matches(_ url: String, _ component: AppSiteAssociation.Component) -> Bool {
    guard let mark = url.firstRange(of: "://") else { return false }
    let rest = url[mark.upperBound...]
    let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts[0].firstIndex(of: "/").map { String(parts[0][$0...]) } ?? "/"
    guard matches(Array(path.utf8), Array(component.path.utf8)) else { return false }
    var values: [String: [UInt8]] = [:]
    for item in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
      let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      values[String(pair[0])] = Array((pair.count > 1 ? pair[1] : "").utf8)
    }
    return component.query.allSatisfy { key, pattern in matches(values[key] ?? [], Array(pattern.utf8)) }
  }

  /// Whether the link opens the app.
  static func opens(_ url: String, _ association: AppSiteAssociation) -> Bool {
    association.components.first { matches(url, $0) }.map { !$0.isExcluded } ?? false
  }

  private static func matches(_ text: [UInt8], _ pattern: [UInt8]) -> Bool {
    // The lengths of the prefixes of the text that match the pattern read so far.
    var reached: Set<Int> = [0]
    for sign in pattern {
      switch sign {
      case UInt8(ascii: "*"):
        guard let first = reached.min() else { return false }
        reached = Set(first...text.count)
      case UInt8(ascii: "?"): reached = Set(reached.filter { $0 < text.count }.map { $0 + 1 })
      default: reached = Set(reached.filter { $0 < text.count && text[$0] == sign }.map { $0 + 1 })
      }
    }
    return reached.contains(text.count)
  }
}
