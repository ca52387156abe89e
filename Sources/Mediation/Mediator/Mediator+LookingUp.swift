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
