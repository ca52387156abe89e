extension Mediator {
  /// Returns the route that a URL opens for this caller, without running guards or the route.
  ///
  /// The error distinguishes `forbidden` from `notFound` for every caller; do not reveal the difference to
  /// external callers.
  public func resolve(
    _ url: String, origin: Origin = .native(module: nil)
  ) throws(RouteError) -> RouteSummary {
    if case .external(let source) = origin, let head = try? URLHead(url), !source.fits(head) {
      throw .forbidden(url: url, origin: origin)
    }
    return try locate(try redirected(url, for: origin), origin).summary
  }

  /// Returns whether a route or the app's web page would open the URL for this caller; has no side effects.
  public func canOpen(_ url: String, origin: Origin = .native(module: nil)) -> Bool {
    do {
      _ = try resolve(url, origin: origin)
      return true
    } catch {
      switch error {
      case .notFound, .malformedURL: break
      case .forbidden where origin.isExternal: break
      default: return false
      }
      // Scheme and host decide whether the web page opens the URL; the rest need not conform to the profile.
      let end = (try? redirected(url, for: origin)) ?? url
      return web != nil && (try? URLHead(end).isWeb) == true
    }
  }

  /// Returns the URL of a route.
  ///
  /// - Throws: `RouteError.parameter` for the first parameter that the route did not write or that a URL
  ///   cannot carry.
  public func url<R: Route>(for route: R) throws(RouteError) -> String {
    var output = RouteOutput(R.pattern)
    route.write(to: &output)
    return try output.url()
  }

  /// Finds the route of a URL: checks the profile, the pattern, the exposure and the parameters.
  func locate(_ text: String, _ origin: Origin) throws(RouteError) -> RouteTarget {
    var scan = URLScan()
    do throws(RouteURL.SyntaxError) {
      try scan.read(text.utf8.span)
    } catch {
      // A foreign web URL goes to the web page as it is; its path need not conform to the profile.
      if let head = try? URLHead(text), head.isWeb, !registry.hosts.contains(head.host) {
        throw .notFound(url: text)
      }
      throw .malformedURL(error)
    }
    var search = RouteSearch()
    registry.trie.find(&scan, text.utf8.span, &search)
    guard let found = search.best else {
      let url = RouteURL(text, scan)
      if url.isWeb, !registry.hosts.contains(url.host) { throw .notFound(url: text) }
      throw miss(url, origin)
    }
    let entry = registry.trie.entries[found]
    let route = registry.routes[Int(entry.route)]
    guard let pattern = route.declaration.pattern(Int(entry.form)), route.admits(origin)
    else { throw .forbidden(url: text, origin: origin) }
    let url = RouteURL(text, scan)
    let input = RouteInput(url: url, pattern: pattern, isFromOutside: origin.isExternal)
    try input.checkFields()
    return RouteTarget(
      route: route, value: try route.declaration.decode(input), text: text, input: input)
  }

  /// Returns the reason why a URL matches nothing, as far as this caller may know it.
  private func miss(_ url: RouteURL, _ origin: Origin) -> RouteError {
    func isOpen(_ index: Int) -> Bool { registry.routes[index].admits(origin) }
    if let pattern = nearMiss(url, .missingFields, isOpen),
      let field = pattern.fields.first(where: { !$0.isOptional && !url.hasField(named: $0.key) })
    {
      return .parameter(name: field.name, reason: .missing)
    }
    if let pattern = nearMiss(url, [.missingFields, .kinds], isOpen) {
      for (position, segment) in pattern.segments.enumerated() where position + 1 < url.labels.count {
        if case .value(let name, let kind) = segment, !kind.matches(url.label(position + 1)) {
          return .parameter(name: name, reason: .notOfKind(kind))
        }
      }
    }
    if origin.isExternal { return .notFound(url: url.text) }
    var search = NearestPattern(to: url)
    let nearest = search.find(
      among: registry.routes.indices.lazy.map { isOpen($0) ? self.registry.routes[$0].pattern : nil })
    return .notFound(url: url.text, nearest: nearest?.text)
  }

  /// Returns the pattern that a URL would match if the given conditions were ignored.
  private func nearMiss(
    _ url: RouteURL, _ leniency: RouteSearch.Leniency, _ isOpen: (Int) -> Bool
  ) -> RoutePattern? {
    var scan = URLScan()
    do throws(RouteURL.SyntaxError) { try scan.read(url.text.utf8.span) } catch { return nil }
    var search = RouteSearch(leniency: leniency)
    registry.trie.find(&scan, url.text.utf8.span, &search, where: isOpen)
    return search.best.flatMap { best in
      let entry = registry.trie.entries[best]
      return registry.routes[Int(entry.route)].declaration.pattern(Int(entry.form))
    }
  }
}

extension Mediator {
  /// Descriptions of all routes, sorted by module, pattern and name.
  ///
  /// The result does not depend on the order of modules or declarations. Takes O(*n* log *n*) time for *n*
  /// routes.
  public var routes: [RouteDescription] {
    registry.routes.map(RouteDescription.init).sorted(by: RouteDescription.precedes)
  }

  /// Finds the route whose pattern matches a URL, without allocating.
  ///
  /// This is the first step of `open`. Use it to check many URLs, as in list cells, prefetching or analytics.
  /// It ignores exposure and redirects and reads no values: use `canOpen` where permissions matter, and
  /// `resolve` for the values.
  public func lookUp(_ url: String) -> LookUp? {
    let bytes = url.utf8.span
    var scan = URLScan()
    do throws(RouteURL.SyntaxError) { try scan.read(bytes) } catch { return nil }
    var search = RouteSearch()
    registry.trie.find(&scan, bytes, &search)
    guard let best = search.best else { return nil }
    let entry = registry.trie.entries[best]
    let starts = scan.starts.span
    var captures = 0
    var length = 0
    var mask = entry.captures
    while mask != 0 {
      let index = mask.trailingZeroBitCount
      mask &= mask &- 1
      // An optional segment may be absent.
      if index >= scan.segmentCount { break }
      let range = URLScan.segment(index, starts)
      captures += 1
      length +=
        entry.hasRest && mask == 0
        ? URLScan.segment(scan.segmentCount - 1, starts).upperBound - range.lowerBound : range.count
    }
    return LookUp(
      registered: registry.routes[Int(entry.route)], form: Int(entry.form), captures: captures,
      capturedBytes: length, visits: search.visits)
  }

  /// Returns whether the route that matches a URL was declared to need an environment key; nil if no route
  /// matches.
  ///
  /// A screen needs the navigator and an action does not, so this tells the kind of a route before it runs.
  /// It has no side effects and ignores exposure.
  package func routeNeeds<Key: RouteEnvironmentKey>(_ key: Key.Type, url: String) -> Bool? {
    guard let url = try? RouteURL(url), let index = registry.trie.match(url) else { return nil }
    return registry.routes[index].declaration.needs.contains { ObjectIdentifier($0) == ObjectIdentifier(key) }
  }

  /// Returns the route value that a URL stands for, for the round-trip checks of `MediationTesting`.
  ///
  /// - Parameter module: The module that makes the call.
  package func route(at url: String, asking module: String) throws(RouteError) -> any Sendable {
    try locate(url, .native(module: module)).value
  }
}

extension Mediator {
  /// The result of a look-up: the route that a URL leads to, without any of its values.
  public struct LookUp: Sendable {
    let registered: RegisteredRoute
    let form: Int
    /// The number of path segments that are captured.
    package let captures: Int
    /// The total length of the captured segments in bytes, as encoded in the URL.
    package let capturedBytes: Int
    /// The number of visited nodes of the table; each node is visited at most once.
    package let visits: Int

    /// The pattern that the URL matched: the route's own, or one of its aliases.
    public var pattern: RoutePattern { registered.declaration.patterns[form] }

    /// The description of the route, as in ``Mediator/routes``; created at each access.
    public var route: RouteDescription { RouteDescription(registered) }
  }
}

extension Mediator.LookUp: Hashable {
  /// Whether two look-ups found the same pattern of the same route, with captures of the same size.
  public static func == (left: Mediator.LookUp, right: Mediator.LookUp) -> Bool {
    left.registered === right.registered && left.form == right.form && left.captures == right.captures
      && left.capturedBytes == right.capturedBytes && left.visits == right.visits
  }

  /// Hashes the identity of the route and the sizes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(registered))
    hasher.combine(form)
    hasher.combine(captures)
    hasher.combine(capturedBytes)
    hasher.combine(visits)
  }
}
