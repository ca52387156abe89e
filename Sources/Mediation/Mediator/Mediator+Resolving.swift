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
