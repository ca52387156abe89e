import Mediation

/// A checked, immutable redirect table, shared by all calls that began with it.
final class CheckedTable: RedirectSnapshot {
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
    let exceptions: Set<RoutePattern>
  }

  let table: RedirectTable
  private let rules: [Rule]
  private let index: PatternIndex
  /// The routes' patterns that a rule disables as a whole.
  private let disabled: Set<RoutePattern>

  var version: Int { table.version }

  init(_ table: RedirectTable, rules: [Rule], disabled: Set<RoutePattern>) {
    self.table = table
    self.rules = rules
    self.disabled = disabled
    index = PatternIndex(rules.map(\.pattern))
  }

  func redirect(
    _ url: RouteURL, matching pattern: RoutePattern?
  ) throws(RouteError) -> (url: String, rule: Int)? {
    guard let rule = index.position(of: url).map({ rules[$0] }) else { return nil }
    if let pattern, rule.exceptions.contains(pattern) { return nil }
    guard let target = try rule.url(from: url) else { throw .notFound(url: url.text) }
    return (target, rule.index)
  }

  func disables(_ pattern: RoutePattern) -> Bool { disabled.contains(pattern) }
}

extension CheckedTable.Rule {
  /// Returns the target's URL with the values of the matched URL; nil if the rule disables.
  ///
  /// - Throws: `RouteError.parameter` for a query field that is not of its kind in the rule's pattern, as for
  ///   a route.
  fileprivate func url(from url: RouteURL) throws(RouteError) -> String? {
    guard let target else { return nil }
    let input = RouteInput(url, matching: pattern)
    try input.checkFields()
    var output = RouteOutput(target)
    for name in target.parameterNames {
      if let value = values[name] {
        output.set(name, to: value)
      } else if pattern.tailName == name {
        output.set(name, toRest: try input.rest(name))
      } else if pattern.parameterNames.contains(name) {
        let texts = try input.all(name, as: String.self)
        // A path holds one value; code of the app that reads a repeated field gets the first one, too.
        output.set(name, toRest: target.hasField(for: name) ? texts : Array(texts.prefix(1)))
      }
    }
    return try output.url().text
  }
}
