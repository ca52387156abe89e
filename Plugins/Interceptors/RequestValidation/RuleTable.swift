import Interception

/// Rules by the API that they are about, so that a request is compared with none of other APIs.
struct RuleTable<Rule: Sendable>: Sendable {
  /// The rules about requests of any API.
  private let general: [Rule]
  /// The rules about the requests of each API that has some of its own, the general ones among them.
  private let specific: [APIIdentity: [Rule]]

  /// Creates a table; `api` returns the only API that a rule is about, or nil.
  init(_ rules: [Rule], api: (Rule) -> APIIdentity?) {
    general = rules.filter { api($0) == nil }
    let known = Set(rules.compactMap(api))
    specific = Dictionary(
      uniqueKeysWithValues: known.map { one in (one, rules.filter { api($0) == nil || api($0) == one }) })
  }

  /// Whether there is no rule.
  var isEmpty: Bool { general.isEmpty && specific.isEmpty }

  /// Returns the rules about a request, in the order of registration.
  func rules(about request: Request) -> [Rule] {
    guard !specific.isEmpty, let api = request.context.api else { return general }
    return specific[api] ?? general
  }
}
