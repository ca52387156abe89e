extension RouteRegistry {
  /// Returns the prefix and module fallbacks for a URL in the order in which they are tried, each with its
  /// module.
  func fallbacks(
    for unrouted: UnroutedURL, from origin: Origin
  ) -> [(fallback: RouteFallback, module: String)] {
    var chain = fallbacks.filter { $0.covers(unrouted) }.map { ($0.fallback, $0.place.module) }
    guard let url = unrouted.url else { return chain }
    let candidates = moduleFallbacks.map { ($0, $0.sharedLabels(with: url, for: origin)) }
    guard let best = candidates.map(\.1).max(), best > 0 else { return chain }
    // If two modules are equally near, neither owns the URL: the order of modules must not decide.
    let nearest = candidates.filter { $0.1 == best }
    if nearest.count == 1 { chain.append((nearest[0].0.fallback, nearest[0].0.place.module)) }
    return chain
  }
}
