/// A list of patterns in which the most specific one that matches a URL is found in one look-up.
package struct PatternIndex: Sendable {
  private let trie: RouteTrie

  /// Creates an index of patterns of which no two overlap, unless one is more specific.
  package init(_ patterns: some Sequence<RoutePattern>) {
    var builder = RouteTrieBuilder()
    for (position, pattern) in patterns.enumerated() {
      builder.insert(pattern, route: position, priority: 0, isContested: false)
    }
    trie = builder.freeze()
  }

  /// Returns the position of the most specific pattern that matches a URL; nil if none does.
  package func position(of url: RouteURL) -> Int? { trie.match(url) }
}
