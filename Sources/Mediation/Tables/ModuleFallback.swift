/// A module's fallback for URLs that begin as one of its routes does.
struct ModuleFallback: Sendable {
  /// The literals with which a route's pattern begins, the host first, and to whom the route is open.
  private struct Stem {
    let scheme: String
    let literals: [String]
    let exposure: Exposure
  }

  let fallback: RouteFallback
  let place: RoutePlace
  private var stems: [Stem] = []

  init(_ fallback: RouteFallback, at place: RoutePlace) {
    self.fallback = fallback
    self.place = place
  }

  mutating func add(_ route: RouteDeclaration) {
    // An unknown web address is a page of its site, whoever else answers pages there.
    guard let exposure = route.exposure else { return }
    for pattern in route.patterns where !URLHead.isWeb(pattern.scheme) {
      var literals: [String] = []
      for segment in pattern.segments {
        guard case .literal(let text) = segment else { break }
        literals.append(text)
      }
      stems.append(Stem(scheme: pattern.scheme, literals: literals, exposure: exposure))
    }
  }

  /// How many labels the URL shares with the nearest of the module's routes, the host included; 0 means
  /// another host.
  ///
  /// Routes that are not open to the caller do not count: by which fallback answers, one outside must not
  /// learn of them.
  func closeness(to url: RouteURL, for origin: Origin) -> Int {
    var best = 0
    for stem in stems where stem.scheme == url.scheme {
      if origin.isExternal, !stem.exposure.admits(origin, module: place.module) { continue }
      let shared = stem.literals.indices.prefix { index in
        index + 1 < url.labels.count && url.labelBytes(index + 1).elementsEqual(stem.literals[index].utf8)
      }
      best = max(best, shared.count)
    }
    return best
  }
}
