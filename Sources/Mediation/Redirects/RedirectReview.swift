/// Checks a redirect table against the routes and creates its snapshot.
struct RedirectReview {
  /// A rule with its patterns parsed.
  struct Draft {
    let index: Int
    let from: RoutePattern
    /// The pattern to redirect to; nil if the rule disables.
    let target: RoutePattern?
    let values: [String: String]
    /// The pattern of the route that the rule replaces.
    var replaced: RouteForm?
    var exceptions: Set<RouteForm> = []
    /// Whether an earlier rule applies to the same URLs.
    var isDuplicate = false
  }

  private let table: RedirectTable
  let registry: RouteRegistry
  private let webHosts: Set<String>
  /// The routes' patterns by scheme and host.
  private var forms: [String: [(form: RouteForm, pattern: RoutePattern)]] = [:]
  var drafts: [Draft] = []
  private var faults: [RedirectFault] = []

  init(_ table: RedirectTable, registry: RouteRegistry, webHosts: Set<String>) {
    self.table = table
    self.registry = registry
    self.webHosts = webHosts
    for (index, route) in registry.routes.enumerated() {
      for (form, pattern) in route.declaration.patterns.enumerated() {
        forms[Self.bucket(pattern), default: []].append((RouteForm(route: index, form: form), pattern))
      }
    }
  }

  mutating func snapshot(isWebOpen: Bool) throws(RedirectTableError) -> RedirectSnapshot {
    for (index, rule) in table.rules.enumerated() { read(rule, index) }
    compareRules()
    for position in drafts.indices { compareRoutes(position) }
    let targets = RedirectTargets(self, isWebOpen: isWebOpen)
    for position in drafts.indices { check(position, targets) }
    for (rule, reason) in targets.circles() { report(rule, reason) }
    if !faults.isEmpty {
      throw .invalid(
        faults.enumerated().sorted { ($0.element.rule, $0.offset) < ($1.element.rule, $1.offset) }
          .map(\.element))
    }
    let closed = drafts.filter { $0.target == nil }.compactMap { draft in
      draft.replaced.flatMap { replaced in
        let pattern = registry.routes[replaced.route].pattern
        return pattern?.relation(to: draft.from) == .same ? replaced.route : nil
      }
    }
    return RedirectSnapshot(
      table,
      rules: drafts.map {
        .init(
          index: $0.index, pattern: $0.from, target: $0.target, values: $0.values, exceptions: $0.exceptions)
      },
      closed: Set(closed))
  }

  static func bucket(_ pattern: RoutePattern) -> String { "\(pattern.scheme)://\(pattern.host)" }

  /// Returns the most specific single pattern of a route that matches every URL of a pattern.
  func form(covering pattern: RoutePattern) -> RouteForm? {
    var best: (form: RouteForm, pattern: RoutePattern)?
    for candidate in forms[Self.bucket(pattern)] ?? [] {
      switch pattern.relation(to: candidate.pattern) {
      case .same: return candidate.form
      case .narrower:
        if let best, candidate.pattern.relation(to: best.pattern) != .narrower { continue }
        best = candidate
      default: continue
      }
    }
    return best?.form
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
      case "https": registry.hosts.contains(host) || (isTarget && webHosts.contains(host))
      // A redirect must not lead from an encrypted page to an unencrypted one.
      case "http": !isTarget && registry.hosts.contains(host)
      default: registry.schemes.contains(pattern.scheme)
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
    for (form, pattern) in forms[Self.bucket(draft.from)] ?? [] {
      switch draft.from.relation(to: pattern) {
      case .overlapping where !isReported:
        isReported = true
        report(
          draft.index,
          .overlapsRoute(
            registry.routes[form.route].declaration.place(of: pattern),
            sampleURL: draft.from.sampleURL(with: pattern)))
      case .wider: drafts[position].exceptions.insert(form)
      case .same, .narrower, .disjoint, .overlapping: continue
      }
    }
    drafts[position].replaced = form(covering: draft.from)
  }

  private mutating func check(_ position: Int, _ targets: RedirectTargets) {
    let draft = drafts[position]
    guard let target = draft.target else {
      if draft.replaced == nil { report(draft.index, .disablesNothing) }
      return
    }
    for reason in RedirectCarriage.faults(from: draft.from, to: target, values: draft.values) {
      report(draft.index, reason)
    }
    switch targets.end(of: position) {
    case .web, .circle: return
    case .nothing: report(draft.index, .noTarget(target.text))
    case .route(let index):
      let end = registry.routes[index].declaration
      let start = draft.replaced.map { registry.routes[$0.route].declaration }
      if !Self.isOpen(end, toCallersOf: start) { report(draft.index, .exposure(of: end.place)) }
      if let start, start.output != end.output {
        report(draft.index, .answer(expected: start.output, got: end.output))
      }
    }
  }

  private static func isOpen(_ end: RouteDeclaration, toCallersOf start: RouteDeclaration?) -> Bool {
    switch (start?.exposure, end.exposure) {
    // A server must not reach a module's own routes.
    case (_, .moduleOnly), (_, nil): false
    case (.link(let sources), let exposure?):
      sources.allSatisfy { exposure.admits(.external($0), module: end.module) }
    default: true
    }
  }
}
