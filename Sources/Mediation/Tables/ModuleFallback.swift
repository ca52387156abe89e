/// A module's fallback for URLs that share leading literals with one of its routes.
struct ModuleFallback: Sendable {
  /// The leading literals of a route's pattern, host first, and the route's exposure.
  private struct LiteralPrefix {
    let scheme: String
    let literals: [String]
    let exposure: Exposure
  }

  let fallback: RouteFallback
  let place: RouteTable.Place
  private var prefixes: [LiteralPrefix] = []

  init(_ fallback: RouteFallback, at place: RouteTable.Place) {
    self.fallback = fallback
    self.place = place
  }

  mutating func add(_ route: RouteDeclaration) {
    // An unknown web URL is a page of its site, whichever module answers other pages there.
    guard let exposure = route.exposure else { return }
    for pattern in route.patterns where !URLHead.isWeb(pattern.scheme) {
      var literals: [String] = []
      for segment in pattern.segments {
        guard case .literal(let text) = segment else { break }
        literals.append(text)
      }
      prefixes.append(
        LiteralPrefix(scheme: pattern.scheme, literals: literals, exposure: exposure))
    }
  }

  /// Returns the number of leading labels that the URL shares with the nearest of the module's routes, the
  /// host included; 0 if the host differs.
  ///
  /// Routes that are not exposed to the caller are ignored: an external caller must not learn of them by
  /// which fallback answers.
  func sharedLabels(with url: RouteURL, for origin: Origin) -> Int {
    var best = 0
    for prefix in prefixes where prefix.scheme == url.scheme {
      if origin.isExternal, !prefix.exposure.admits(origin, module: place.module) { continue }
      let shared = prefix.literals.indices.prefix { index in
        index + 1 < url.labels.count && url.labelBytes(index + 1).elementsEqual(prefix.literals[index].utf8)
      }
      best = max(best, shared.count)
    }
    return best
  }
}
