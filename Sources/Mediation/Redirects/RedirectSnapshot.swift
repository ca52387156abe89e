/// A redirect table in force: checked, frozen, shared by all calls that began under it.
final class RedirectSnapshot: Sendable {
  /// One rule, ready to be followed.
  struct Rule: Sendable {
    /// Its place in the table.
    let index: Int
    let pattern: RoutePattern
    /// Where it leads; nil if it disables.
    let target: RoutePattern?
    /// What the rule itself gives to the target.
    let values: [String: String]
    /// The patterns narrower than the rule, whose routes go on to answer.
    let exceptions: Set<RouteForm>
  }

  let table: RedirectTable
  let rules: [Rule]
  /// The routes of which every URL is disabled.
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

  /// The most specific rule that concerns a URL.
  func rule(for url: RouteURL) -> Rule? { trie.match(url).map { rules[$0] } }
}

extension RedirectSnapshot.Rule {
  /// The URL of the target with the values of the URL that matched; nil if the rule disables.
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
