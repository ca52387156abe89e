/// Answers URLs that no route matches.
///
/// Fallbacks run in this order: the one with the longest matching prefix, those with shorter prefixes, the
/// module's, the app's. The call returns the result of the first one that does not throw `DeclinedError`.
public struct RouteFallback: Sendable {
  let run: @Sendable (UnroutedURL, RouteContext) async throws -> any Sendable

  /// The error that a fallback throws to leave the URL to the next fallback.
  public struct DeclinedError: Error, Sendable {
    /// Creates the error.
    public init() {}
  }
  /// Creates a fallback from a closure.
  ///
  /// A caller that expects another type gets `.resultMismatch`.
  public init<Output: Sendable>(
    _ body: @escaping @Sendable (UnroutedURL, RouteContext) async throws -> Output
  ) {
    run = { url, context in try await body(url, context) }
  }
}

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
