/// A checked, immutable redirect table, shared by all calls that began with it.
final class RedirectSnapshot: Sendable {
  /// A checked rule.
  struct Rule: Sendable {
    /// The index of the rule in the table.
    let index: Int
    let pattern: RoutePattern
    /// The pattern to redirect to; nil if the rule disables.
    let target: RoutePattern?
    /// The values that the rule sets in the target.
    let values: [String: String]
    /// Route patterns that are narrower than the rule's and still take precedence.
    let exceptions: Set<RouteForm>
  }

  let table: RedirectTable
  let rules: [Rule]
  /// The routes whose URLs are all disabled.
  let closed: Set<Int>
  private let trie: RouteTrie

  var version: Int { table.version }

  init(_ table: RedirectTable, rules: [Rule], closed: Set<Int>) {
    self.table = table
    self.rules = rules
    self.closed = closed
    var builder = RouteTrieBuilder()
    for (position, rule) in rules.enumerated() {
      builder.insert(rule.pattern, route: position, form: 0, priority: 0, isContested: false)
    }
    trie = builder.freeze()
  }

  /// Returns the most specific rule that applies to a URL.
  func rule(for url: RouteURL) -> Rule? { trie.match(url).map { rules[$0] } }
}

extension RedirectSnapshot.Rule {
  /// Returns the target's URL with the values of the matched URL; nil if the rule disables.
  func url(from url: RouteURL) throws(RouteError) -> String? {
    guard let target else { return nil }
    let input = RouteInput(url: url, pattern: pattern, isFromOutside: false)
    var output = RouteOutput(target)
    for name in target.parameterNames {
      if let value = values[name] {
        output.set(name, to: value)
      } else if pattern.hasRest, case .rest(name)? = pattern.segments.last {
        output.set(name, toRest: try input.rest(name))
      } else if pattern.parameterNames.contains(name) {
        output.set(name, toAll: try input.all(name, as: String.self))
      }
    }
    return try output.url()
  }
}
