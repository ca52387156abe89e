import Mediation

/// Checks a redirect table against the routes.
struct RedirectReview {
  /// A rule with its patterns parsed.
  struct Draft {
    let index: Int
    let from: RoutePattern
    /// The pattern to redirect to; nil if the rule disables.
    let target: RoutePattern?
    let values: [String: String]
    /// The pattern of the route that the rule replaces.
    var replaced: RedirectableRoutes.Entry?
    var exceptions: Set<RoutePattern> = []
    /// Whether an earlier rule applies to the same URLs.
    var isDuplicate = false
  }

  private let table: RedirectTable
  private let routes: RedirectableRoutes
  private let webHosts: Set<String>
  /// The routes' patterns by scheme and host.
  private let entries: [String: [RedirectableRoutes.Entry]]
  private(set) var drafts: [Draft] = []
  private var faults: [RedirectFault] = []

  init(_ table: RedirectTable, routes: RedirectableRoutes, webHosts: Set<String>) {
    self.table = table
    self.routes = routes
    self.webHosts = webHosts
    entries = Dictionary(grouping: routes.entries) { Self.bucket($0.pattern) }
  }

  /// Returns the table if it has no faults.
  mutating func checkedTable() throws(RedirectTableError) -> CheckedTable {
    for (index, rule) in table.rules.enumerated() { read(rule, index) }
    compareRules()
    for position in drafts.indices { compareRoutes(position) }
    let targets = RedirectTargets(self, opensWebPages: routes.opensWebPages)
    for position in drafts.indices { check(position, targets) }
    for (rule, reason) in targets.loops() { report(rule, reason) }
    if !faults.isEmpty {
      throw RedirectTableError(
        .invalid(
          faults.enumerated().sorted { ($0.element.rule, $0.offset) < ($1.element.rule, $1.offset) }
            .map(\.element)))
    }
    let disabled = drafts.compactMap { draft -> RoutePattern? in
      guard draft.target == nil, let pattern = draft.replaced?.pattern else { return nil }
      return pattern.relation(to: draft.from) == .same ? pattern : nil
    }
    return CheckedTable(
      table,
      rules: drafts.map {
        .init(
          index: $0.index, pattern: $0.from, target: $0.target, values: $0.values, exceptions: $0.exceptions)
      },
      disabled: Set(disabled))
  }

  static func bucket(_ pattern: RoutePattern) -> String { "\(pattern.scheme)://\(pattern.host)" }

  /// Returns the most specific single pattern of a route that matches every URL of a pattern.
  func entry(covering pattern: RoutePattern) -> RedirectableRoutes.Entry? {
    var best: RedirectableRoutes.Entry?
    for candidate in entries[Self.bucket(pattern)] ?? [] {
      switch pattern.relation(to: candidate.pattern) {
      case .same: return candidate
      case .narrower:
        if let best, candidate.pattern.relation(to: best.pattern) != .narrower { continue }
        best = candidate
      default: continue
      }
    }
    return best
  }

  private mutating func report(_ rule: Int, _ reason: RedirectFault.Reason) {
    faults.append(RedirectFault(rule: rule, reason: reason))
  }

  private mutating func read(_ rule: RedirectRule, _ index: Int) {
    let from = pattern(rule.from, index, isTarget: false)
    switch rule.action {
    case .disable:
      if let from { drafts.append(Draft(index: index, from: from, target: nil, values: [:])) }
    case .redirect(let text, let values):
      let target = pattern(text, index, isTarget: true)
      if let from, let target {
        drafts.append(Draft(index: index, from: from, target: target, values: values))
      }
    }
  }

  private mutating func pattern(_ text: String, _ rule: Int, isTarget: Bool) -> RoutePattern? {
    let pattern: RoutePattern
    do {
      pattern = try RoutePattern(text)
    } catch {
      report(rule, .pattern(error))
      return nil
    }
    let host = pattern.host
    let isKnown =
      switch pattern.scheme {
      case "https": routes.hosts.contains(host) || (isTarget && webHosts.contains(host))
      // A redirect must not lead from an encrypted page to an unencrypted one.
      case "http": !isTarget && routes.hosts.contains(host)
      default: routes.schemes.contains(pattern.scheme)
      }
    guard isKnown else {
      report(rule, .foreign(scheme: pattern.scheme, host: host))
      return nil
    }
    return pattern
  }

  /// Reports at most one other rule for each rule, so that a table of equal rules does not have a fault for
  /// every pair.
  private mutating func compareRules() {
    var buckets: [String: [Int]] = [:]
    for (position, draft) in drafts.enumerated() {
      let key = Self.bucket(draft.from)
      for earlier in buckets[key, default: []] {
        let other = drafts[earlier]
        let relation = draft.from.relation(to: other.from)
        guard relation == .same || relation == .overlapping else { continue }
        drafts[position].isDuplicate = relation == .same
        let sample = draft.from.sampleURL(with: other.from)
        report(
          draft.index,
          relation == .same
            ? .duplicate(of: other.index, sampleURL: sample) : .overlap(with: other.index, sampleURL: sample))
        break
      }
      buckets[key, default: []].append(position)
    }
  }

  private mutating func compareRoutes(_ position: Int) {
    let draft = drafts[position]
    var isReported = false
    for entry in entries[Self.bucket(draft.from)] ?? [] {
      switch draft.from.relation(to: entry.pattern) {
      case .overlapping where !isReported:
        isReported = true
        report(
          draft.index,
          .overlapsRoute(entry.place, sampleURL: draft.from.sampleURL(with: entry.pattern)))
      case .wider: drafts[position].exceptions.insert(entry.pattern)
      case .same, .narrower, .disjoint, .overlapping: continue
      }
    }
    drafts[position].replaced = entry(covering: draft.from)
  }

  private mutating func check(_ position: Int, _ targets: RedirectTargets) {
    let draft = drafts[position]
    guard let target = draft.target else {
      if draft.replaced == nil { report(draft.index, .disablesNothing) }
      return
    }
    let faults = RedirectParameters.faults(from: draft.from, to: target, values: draft.values)
    for reason in faults { report(draft.index, reason) }
    // Which pattern matches a URL does not depend on the values of its query, so they are compared here.
    if let next = targets.pattern(after: position) {
      for name in target.parameterNames where !target.suits(next, field: name, value: draft.values[name]) {
        if !faults.contains(.unfit(name: name)) { report(draft.index, .unfit(name: name)) }
      }
    }
    switch targets.destination(of: position) {
    case .web, .loop: return
    case .nothing: report(draft.index, .noTarget(target.text))
    case .route(let end):
      let start = draft.replaced
      if !Self.isOpen(end, toCallersOf: start) { report(draft.index, .exposure(of: end.place)) }
      if let start, start.output != end.output {
        report(draft.index, .answer(expected: start.output, got: end.output))
      }
    }
  }

  private static func isOpen(
    _ end: RedirectableRoutes.Entry, toCallersOf start: RedirectableRoutes.Entry?
  ) -> Bool {
    // A server must not reach a module's own routes.
    if end.exposure == .moduleOnly { return false }
    guard case .link(let sources) = start?.exposure else { return true }
    return sources.allSatisfy { end.admits(.external($0)) }
  }
}

/// Checks that every parameter of a rule's target gets a value, and that the value fits.
enum RedirectParameters {
  /// A placeholder as its pattern declares it.
  private struct Placeholder {
    let kind: RoutePattern.ValueKind
    /// Whether a URL may omit the value.
    let isOptional: Bool
    /// Whether it stands for the rest of the path.
    let isTail: Bool
    /// Whether it stands for the value of a query field.
    let isField: Bool
  }

  static func faults(
    from source: RoutePattern, to target: RoutePattern, values: [String: String]
  ) -> [RedirectFault.Reason] {
    let given = placeholders(of: source)
    let wanted = placeholders(of: target)
    var faults: [RedirectFault.Reason] = []
    for name in values.keys.sorted() {
      if wanted[name] == nil { faults.append(.undeclared(name: name)) }
      if given[name] != nil { faults.append(.twice(name: name)) }
    }
    for name in target.parameterNames {
      guard let placeholder = wanted[name] else { continue }
      if let value = values[name] {
        if !fits(value, placeholder) { faults.append(.unfit(name: name)) }
      } else if let origin = given[name] {
        if !fits(origin, placeholder) { faults.append(.unfit(name: name)) }
      } else if !placeholder.isOptional {
        faults.append(.missing(name: name))
      }
    }
    return faults
  }

  private static func placeholders(of pattern: RoutePattern) -> [String: Placeholder] {
    let required = Set(pattern.requiredNames)
    var placeholders: [String: Placeholder] = [:]
    for name in pattern.parameterNames {
      placeholders[name] = Placeholder(
        kind: pattern.kind(of: name) ?? .text, isOptional: !required.contains(name),
        isTail: pattern.tailName == name, isField: pattern.hasField(for: name))
    }
    return placeholders
  }

  /// Returns whether every value of one placeholder is valid for another.
  private static func fits(_ source: Placeholder, _ target: Placeholder) -> Bool {
    if source.isTail { return target.isTail }
    // A tail is at least one segment, and a query field may be empty.
    if target.isTail { return !source.isOptional && !source.isField }
    // Only a text can be empty, "." or "..", which a path cannot hold.
    if source.isField, !target.isField, source.kind == .text { return false }
    return (target.isOptional || !source.isOptional) && source.kind.isIncluded(in: target.kind)
  }

  private static func fits(_ value: String, _ target: Placeholder) -> Bool {
    if value.utf8.contains(0) || value.utf8.count > URLLimits.parameter || target.isTail { return false }
    if target.isField { return target.kind == .text || target.kind.matches(value) }
    return value != "." && value != ".." && target.kind.matches(value)
  }
}
