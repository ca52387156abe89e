/// One declared route, its types erased.
struct RouteDeclaration: Sendable {
  let type: ObjectIdentifier
  let pattern: RoutePattern?
  let exposure: Exposure?
  let output: String
  let purpose: String
  let place: RoutePlace
  let guards: [any RouteGuard]
  let priority: Int
  let needs: [any RouteEnvironmentKey.Type]
  let decode: @Sendable (RouteInput) throws(RouteError) -> any Sendable
  /// Answers nil if the route was shown and the caller waits for no answer.
  let run: @Sendable (any Sendable, RouteContext) async throws -> (any Sendable)?

  var module: String { place.module }

  func summary(url: String?, parameters: [String: String]) -> RouteSummary {
    RouteSummary(
      name: place.name, module: module, pattern: pattern, url: url, parameters: parameters,
      exposure: exposure, output: output)
  }
}

/// A fallback for the URLs under a prefix.
struct PrefixFallback: Sendable {
  let prefix: RoutePattern
  let fallback: RouteFallback
  let place: RoutePlace

  /// Whether the URL begins with the literals of the prefix.
  func covers(_ unrouted: UnroutedURL) -> Bool {
    guard prefix.scheme == unrouted.scheme, prefix.host.utf8.elementsEqual(unrouted.host.utf8) else {
      return false
    }
    if prefix.segments.count == 1 { return true }
    guard let url = unrouted.url, url.labels.count > prefix.segments.count else { return false }
    return prefix.segments.enumerated().allSatisfy { index, segment in
      guard case .literal(let text) = segment else { return false }
      return url.labelBytes(index + 1).elementsEqual(text.utf8)
    }
  }
}
