/// A declared route with its types erased.
struct RouteDeclaration: Sendable {
  /// Runs a route's code with the route's value.
  typealias Body = @Sendable (any Sendable, RouteContext) async throws -> (any Sendable)?

  let type: ObjectIdentifier
  let pattern: RoutePattern?
  /// Further patterns of the route.
  var aliases: [RoutePattern] = []
  /// The aliases that have their own reading closure and so need not have the pattern's placeholders.
  var readAliases: Set<RoutePattern> = []
  /// Where the aliases that are not listed by the route's type were declared.
  var aliasPlaces: [RoutePattern: RouteTable.Place] = [:]
  let exposure: Exposure?
  let output: String
  /// Whether a caller that expects a type may open the route.
  let returns: @Sendable (any Any.Type) -> Bool
  var purpose = ""
  let place: RouteTable.Place
  let guards: [any RouteGuard]
  let priority: Int
  let needs: [any RouteEnvironmentKey.Type]
  var decode: @Sendable (RouteInput) throws(RouteError) -> any Sendable
  /// Returns nil if the route was shown and the caller does not wait for a result.
  let run: Body
  /// Reads the route from sample values; nil for a route that is not `Decodable`.
  var probe: (@Sendable (RouteInput) throws(RouteError) -> Void)?

  var module: String { place.module }

  /// All patterns, the route's own first.
  var patterns: [RoutePattern] { (pattern.map { [$0] } ?? []) + aliases }

  /// Returns one of the patterns; 0 is the route's own.
  func pattern(_ form: Int) -> RoutePattern? {
    form == 0 ? pattern : aliases.indices.contains(form - 1) ? aliases[form - 1] : nil
  }

  /// Returns where one of the patterns was declared.
  func place(of pattern: RoutePattern) -> RouteTable.Place {
    if let place = aliasPlaces[pattern] { return place }
    return RouteTable.Place(
      module: place.module, name: place.name, pattern: pattern.text, file: place.file, line: place.line)
  }
}

/// A fallback for the URLs under a prefix.
struct PrefixFallback: Sendable {
  let prefix: RoutePattern
  let fallback: RouteFallback
  let place: RouteTable.Place

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
