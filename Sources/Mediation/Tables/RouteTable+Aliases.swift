extension RouteTable {
  /// Lets a further pattern lead to a route that this module declares, before or after.
  ///
  /// The alias has the placeholders of the route's own pattern, by name and wherever they stand; optional query fields may be left
  /// out and are read all the same. Guards, exposure and conflicts are checked as for the pattern itself. A route's URL is
  /// always written by its own pattern. Aliases that callers should know belong in the route's `aliases`.
  public mutating func alias<R: Route>(
    _ pattern: RoutePattern, for route: R.Type, file: String = #fileID, line: Int = #line
  ) {
    let canonical = R.pattern
    aliases.append(
      RouteAlias(
        type: ObjectIdentifier(route), pattern: RouteAlias.completed(pattern, by: canonical),
        canonical: canonical, place: aliasPlace(of: route, pattern, file, line),
        decode: { input throws(RouteError) in try R(from: input) }))
  }

  /// Lets a further pattern lead to a route, which is read from it by code of its own.
  ///
  /// Choose it for a pattern that implies a value, such as `estate://newest` for a list in a certain order.
  public mutating func alias<R: Route>(
    _ pattern: RoutePattern, for route: R.Type, file: String = #fileID, line: Int = #line,
    reading read: @escaping @Sendable (RouteInput) throws(RouteError) -> R
  ) {
    aliases.append(
      RouteAlias(
        type: ObjectIdentifier(route), pattern: pattern, canonical: nil,
        place: aliasPlace(of: route, pattern, file, line),
        decode: { input throws(RouteError) in try read(input) }))
  }

  private func aliasPlace<R: Route>(
    of route: R.Type, _ pattern: RoutePattern, _ file: String, _ line: Int
  ) -> RoutePlace {
    RoutePlace(module: module, name: String(describing: route), pattern: pattern.text, file: file, line: line)
  }

  /// The routes and their aliases.
  var declarations: [RouteDeclaration] {
    if aliases.isEmpty { return routes }
    var originals: [ObjectIdentifier: RouteDeclaration] = [:]
    for route in routes { originals[route.type] = route }
    return routes + aliases.compactMap { alias in originals[alias.type].map(alias.declaration) }
  }

  /// Aliases of routes that the module does not declare, or that lack placeholders.
  var aliasFaults: [RouteFault] {
    if aliases.isEmpty { return [] }
    let types = Set(routes.map(\.type))
    return aliases.compactMap { alias in
      if !types.contains(alias.type) { return .strayAlias(alias.place) }
      let names = alias.lackingNames
      return names.isEmpty ? nil : .incompleteAlias(alias.place, lacking: names)
    }
  }
}
