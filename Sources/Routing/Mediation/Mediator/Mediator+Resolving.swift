extension Mediator {
  /// Returns the route that a URL opens for this caller, without running guards or the route.
  ///
  /// The error distinguishes `forbidden` from `notFound` for every caller; do not reveal the difference to
  /// external callers.
  public func resolve(
    _ url: String, origin: Origin = .native(module: nil)
  ) throws(RouteError) -> RouteSummary {
    var call = state(of: url, origin)
    return try locate(&call, isOpening: false).summary
  }

  /// Returns whether a route or the app's web page would open the URL for this caller; has no side effects.
  public func canOpen(_ url: String, origin: Origin = .native(module: nil)) -> Bool {
    var call = state(of: url, origin)
    do {
      _ = try locate(&call, isOpening: false)
      return true
    } catch {
      switch error {
      case .notFound, .malformedURL: break
      case .forbidden where origin.isExternal: break
      default: return false
      }
      // Scheme and host decide whether the web page opens the URL; the rest need not conform to the profile.
      guard web != nil, let text = call.destination.text else { return false }
      return UnroutedURL(text, call.destination.url, error)?.isWeb == true
    }
  }

  private func state(of url: String, _ origin: Origin) -> CallState {
    let destination: Destination =
      if case .external(let source) = origin { .link(url, source) } else { .text(url) }
    return CallState(destination, Caller(origin: origin, wantsResult: false), rules: redirector?.snapshot())
  }

  /// Returns the URL of a route.
  ///
  /// - Throws: `RouteError.parameter` for the first parameter that the route did not write or that a URL
  ///   cannot carry.
  public func url<R: Route>(for route: R) throws(RouteError) -> String { try Self.url(of: route).text }

  /// Returns the URL of a route, parsed.
  package static func url<R: Route>(of route: R) throws(RouteError) -> RouteURL {
    var output = RouteOutput(R.pattern)
    route.write(to: &output)
    return try output.url()
  }

  /// Returns the reason why a URL matches nothing, as far as this caller may know it.
  func miss(_ url: RouteURL, _ origin: Origin) -> RouteError {
    func isOpen(_ index: Int) -> Bool { registry.routes[index].admits(origin) }
    if let match = registry.match(url, leniency: .missingFields, where: isOpen),
      let field = match.pattern.fields.first(where: { !$0.isOptional && !url.hasField(named: $0.key) })
    {
      return .parameter(name: field.name, reason: .missing, of: match.site(calledFrom: origin))
    }
    if let match = registry.match(url, leniency: [.missingFields, .kinds], where: isOpen) {
      for (position, segment) in match.pattern.segments.enumerated() where position + 1 < url.labels.count {
        if case .value(let name, let kind) = segment, !kind.matches(url.label(position + 1)) {
          return .parameter(name: name, reason: .notOfKind(kind), of: match.site(calledFrom: origin))
        }
      }
    }
    if origin.isExternal { return .notFound(url: url.text) }
    var search = NearestPattern(to: url)
    let nearest = search.find(
      among: registry.routes.indices.lazy.map { isOpen($0) ? self.registry.routes[$0].pattern : nil })
    return .notFound(url: url.text, nearest: nearest?.text)
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
  /// It ignores exposure and redirects and reads no values. Use `canOpen` where permissions matter, and
  /// `resolve` for the values.
  public func lookUp(_ url: String) -> LookUp? {
    SpanAccess.withBytes(of: url) { lookUp($0) }
  }

  private func lookUp(_ bytes: Span<UInt8>) -> LookUp? {
    var scan = URLScan()
    do throws(RouteURL.SyntaxError) { try scan.read(bytes) } catch { return nil }
    return scan.starts.withSpan { lookUp(scan, $0, bytes) }
  }

  @inline(__always)
  private func lookUp(_ scan: borrowing URLScan, _ starts: Span<UInt16>, _ bytes: Span<UInt8>) -> LookUp? {
    var search = RouteSearch()
    registry.trie.find(scan, starts, bytes, &search)
    guard let best = search.best else { return nil }
    let entry = registry.trie.entries[best]
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
  package func routeNeeds<Key: RouteEnvironmentKey>(_ key: Key.Type, url: RouteURL) -> Bool? {
    registry.match(url)?.route.declaration.needs.contains { ObjectIdentifier($0) == ObjectIdentifier(key) }
  }

  /// Returns the route value that a URL stands for, for the round-trip checks of `MediationTesting`.
  ///
  /// - Parameter module: The module that makes the call.
  package func route(at url: String, asking module: String) throws(RouteError) -> any Sendable {
    var call = CallState(
      .text(url), Caller(origin: .native(module: module), wantsResult: false), rules: nil)
    return try locate(&call, isOpening: false).value
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
    package var route: RouteDescription { RouteDescription(registered) }
  }
}

extension Mediator {
  /// Checks that a URL will open a route for this caller once the user has filled in fields of its query.
  ///
  /// Runs neither guards nor the route. A value that the user will give is not checked; all other parameters
  /// are, and each of the fields must be one of the route's.
  ///
  /// - Parameters:
  ///   - url: The URL without those fields.
  ///   - keys: The keys of the fields in the query.
  package func check(_ url: String, filling keys: [String], origin: Origin) throws(RouteError) {
    guard !keys.isEmpty, let read = try? RouteURL(url) else {
      _ = try resolve(url, origin: origin)
      return
    }
    // A redirect may replace a URL that no route matches; then its rule reads the fields.
    let fields = registry.match(read, leniency: .missingFields) { registry.routes[$0].admits(origin) }?
      .pattern.fields
    var names: Set<String> = []
    var query: [String] = []
    for key in keys {
      let field = fields?.first { $0.key.utf8.elementsEqual(key.utf8) }
      if fields != nil, field == nil { throw .parameter(name: key, reason: .undeclared) }
      if read.hasField(named: key) { throw .parameter(name: field?.name ?? key, reason: .repeated) }
      names.insert(field?.name ?? key)
      query.append(
        PercentEncoding.encode(key) + "=" + PercentEncoding.encode(field?.kind.sample ?? "1"))
    }
    let base = url.prefix { $0 != "#" }
    do throws(RouteError) {
      _ = try resolve(
        base + (base.contains("?") ? "&" : "?") + query.joined(separator: "&"), origin: origin)
    } catch {
      // The sample is not the user's value, which may suit the route.
      guard case .parameter(let name, _, _) = error, names.contains(name) else { throw error }
    }
  }
}
