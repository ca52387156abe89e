/// Collects the modules' declarations and their faults.
struct RouteTableReview {
  let schemes: Set<String>
  let hosts: Set<String>
  private(set) var routes: [RouteDeclaration] = []
  private(set) var fallbacks: [PrefixFallback] = []
  private var moduleGuards: [any RouteGuard] = []
  var faults: [RouteTableIssue.Fault] = []
  /// The well-formed patterns of all routes, without those of repeated declarations.
  var forms: [Form] = []
  /// The forms by number, as a tree.
  var tree = PatternTree()
  /// The forms that lose some of their URLs to a form with a higher priority.
  var contested: Set<Int> = []

  /// One pattern of a route.
  struct Form {
    let route: Int
    /// The index of the pattern: 0 for the route's own, then its aliases.
    let form: Int
    let pattern: RoutePattern
  }

  init(schemes: [String], hosts: [String]) {
    var faults: [RouteTableIssue.Fault] = []
    self.schemes = Self.checked(schemes, &faults) { "\($0)://host" }
    self.hosts = Self.checked(hosts, &faults) { "https://\($0)" }
    self.faults = faults
  }

  private static func checked(
    _ texts: [String], _ faults: inout [RouteTableIssue.Fault], _ url: (String) -> String
  ) -> Set<String> {
    var names: Set<String> = []
    for text in texts {
      let name = String(decoding: text.utf8.map(URLHead.lowercase), as: UTF8.self)
      // Text that is more than a scheme or host changes how the URL around it is parsed.
      if let head = try? URLHead(url(name)), head.isWhole, head.port == nil,
        head.host == name || head.scheme == name
      {
        names.insert(name)
      } else {
        faults.append(.address(text))
      }
    }
    return names
  }

  mutating func checkNames(of modules: [any BusinessModule]) {
    var seen: Set<String> = []
    var reported: Set<String> = []
    for module in modules where !seen.insert(module.name).inserted {
      if reported.insert(module.name).inserted { faults.append(.moduleName(module.name)) }
    }
  }

  mutating func add(_ table: RouteTable, _ environment: RouteEnvironment) {
    for route in table.declarations {
      for key in route.needs where !environment.holds(key) {
        faults.append(.unmetNeed(route.place, need: String(describing: key), remedy: key.remedy))
      }
      if let pattern = route.pattern { check(pattern, route.place) }
      for alias in route.aliases { check(alias: alias, route) }
      checkProperties(of: route)
    }
    for fallback in table.fallbacks {
      // A foreign web site may have its own screen, so its host need not be listed.
      check(fallback.prefix, fallback.place, anyHost: true)
      let hasPlaceholder = fallback.prefix.segments.contains { $0.kind != nil }
      if fallback.prefix.fault == nil, hasPlaceholder || !fallback.prefix.fields.isEmpty {
        let error = RoutePattern.SyntaxError(
          text: fallback.prefix.text, offset: 0, problem: "the prefix of a fallback has placeholders",
          remedy: "write literals only")
        faults.append(.pattern(error, at: fallback.place))
      }
    }
    routes += table.declarations
    fallbacks += table.fallbacks
    moduleGuards += table.moduleGuards
  }

  private mutating func check(_ pattern: RoutePattern, _ place: RouteTable.Place, anyHost: Bool = false) {
    if let fault = pattern.fault {
      faults.append(.pattern(fault, at: place))
      return
    }
    let isKnown =
      URLHead.isWeb(pattern.scheme)
      ? anyHost || hosts.contains(pattern.host) : schemes.contains(pattern.scheme)
    if !isKnown { faults.append(.foreign(place, scheme: pattern.scheme, host: pattern.host)) }
  }

  /// Checks that an alias always supplies every parameter that the route's own pattern always supplies.
  private mutating func check(alias: RoutePattern, _ route: RouteDeclaration) {
    let place = route.place(of: alias)
    check(alias, place)
    guard let pattern = route.pattern, pattern.fault == nil, alias.fault == nil,
      !route.readAliases.contains(alias)
    else { return }
    if let missing = pattern.requiredNames.first(where: { !alias.requiredNames.contains($0) }) {
      let error = RoutePattern.SyntaxError(
        text: alias.text, offset: 0, problem: "the alias does not always supply \"\(missing)\"",
        remedy: "give it the placeholders of \"\(pattern.text)\"")
      faults.append(.pattern(error, at: place))
    }
  }

  mutating func checkIDs(of guards: [any RouteGuard]) {
    var types: [String: ObjectIdentifier] = [:]
    var reported: Set<String> = []
    for (index, candidate) in (guards + moduleGuards + routes.flatMap(\.guards)).enumerated() {
      let type = ObjectIdentifier(Swift.type(of: candidate))
      let known = types.updateValue(type, forKey: candidate.id)
      // One guard may be used by many routes; two entries in the app's list with the same id are two guards.
      guard let known, known != type || index < guards.count else { continue }
      if reported.insert(candidate.id).inserted { faults.append(.guardID(candidate.id)) }
    }
  }

  mutating func compareFallbacks() {
    for (index, fallback) in fallbacks.enumerated() where fallback.prefix.fault == nil {
      for earlier in fallbacks[..<index]
      where earlier.prefix.fault == nil && earlier.prefix.relation(to: fallback.prefix) == .same {
        faults.append(.duplicate(earlier.place, fallback.place, sampleURL: fallback.prefix.text))
      }
    }
  }
}

extension RouteTableReview {
  /// Finds every pair of conflicting patterns, and the pairs that priorities decide.
  ///
  /// Only pairs that share at least one URL are compared.
  mutating func compareRoutes() {
    var places: [ObjectIdentifier: RouteTable.Place] = [:]
    places.reserveCapacity(routes.count)
    var found: [Found] = []
    for (index, route) in routes.enumerated() {
      if let first = places[route.type] {
        found.append(.init(later: forms.count, earlier: -1, fault: .redeclared(first, route.place)))
        continue
      }
      places[route.type] = route.place
      for (form, pattern) in route.patterns.enumerated() where pattern.fault == nil {
        tree.insert(pattern, as: forms.count)
        forms.append(Form(route: index, form: form, pattern: pattern))
      }
    }
    var contested: Set<Int> = []
    PatternMeetings.visit(tree) { earlier, later in
      switch compare(earlier, later) {
      case .fault(let fault): found.append(.init(later: later, earlier: earlier, fault: fault))
      case .contested(let number): contested.insert(number)
      case nil: return
      }
    }
    self.contested = contested
    found.sort { ($0.later, $0.earlier) < ($1.later, $1.earlier) }
    for (index, one) in found.enumerated() {
      // A pair with paths of two lengths may have been found twice.
      if index > 0, one.earlier >= 0,
        (found[index - 1].later, found[index - 1].earlier) == (one.later, one.earlier)
      {
        continue
      }
      faults.append(one.fault)
    }
  }

  /// A fault and the numbers of its two forms, by which the report is sorted.
  private struct Found {
    let later: Int
    let earlier: Int
    let fault: RouteTableIssue.Fault
  }

  /// The result of comparing two forms.
  private enum Verdict {
    case fault(RouteTableIssue.Fault)
    /// The priorities decide; this form loses URLs to the other.
    case contested(Int)
  }

  private func compare(_ first: Int, _ second: Int) -> Verdict? {
    let (left, right) = (forms[first].pattern, forms[second].pattern)
    let (one, two) = (routes[forms[first].route], routes[forms[second].route])
    switch left.relation(to: right) {
    case .same:
      return .fault(.duplicate(place(first), place(second), sampleURL: left.sampleURL(with: right)))
    case .overlapping where one.priority == two.priority:
      return .fault(.overlap(place(first), place(second), sampleURL: left.sampleURL(with: right)))
    case .overlapping:
      return .contested(one.priority < two.priority ? first : second)
    case .narrower where two.priority > one.priority:
      return .fault(.unreachable(place(first), by: place(second), sampleURL: left.sampleURL(with: right)))
    case .wider where one.priority > two.priority:
      return .fault(.unreachable(place(second), by: place(first), sampleURL: left.sampleURL(with: right)))
    default: return nil
    }
  }

  /// Returns the place of a form's route, with the form's pattern.
  private func place(_ form: Int) -> RouteTable.Place {
    routes[forms[form].route].place(of: forms[form].pattern)
  }
}
