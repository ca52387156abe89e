extension RouteTable {
  /// Adds an alias, a further pattern, to a route that this module declares before or after this call.
  ///
  /// The alias has the placeholders of the route's own pattern, in any position. Optional ones may be
  /// omitted; they are then read from the query. Exposure, guards and conflict checks are those of the route.
  /// A route's URL is always written with its own pattern. List aliases that callers should know in the
  /// route's `aliases`.
  public mutating func alias<R: Route>(
    _ pattern: RoutePattern, for route: R.Type, file: String = #fileID, line: Int = #line
  ) {
    let completed = RouteAlias.completed(pattern, by: R.pattern)
    add(completed, for: route, file, line, nil)
  }

  /// Adds an alias from which a closure reads the route.
  ///
  /// Use it for a pattern that implies a value, such as `estate://newest` for a list in a certain order.
  public mutating func alias<R: Route>(
    _ pattern: RoutePattern, for route: R.Type, file: String = #fileID, line: Int = #line,
    reading read: @escaping @Sendable (RouteInput) throws(RouteError) -> R
  ) {
    add(pattern, for: route, file, line) { input throws(RouteError) in try read(input) }
  }

  private mutating func add<R: Route>(
    _ pattern: RoutePattern, for route: R.Type, _ file: String, _ line: Int, _ read: RouteAlias.Reading?
  ) {
    let place = Place(
      module: module, name: String(describing: route), pattern: pattern.text, file: file, line: line)
    aliases.append(RouteAlias(type: ObjectIdentifier(route), pattern: pattern, place: place, read: read))
  }

  /// Attaches the aliases to their routes; those left over have no route.
  mutating func attachAliases() {
    if aliases.isEmpty { return }
    var known: [ObjectIdentifier: [RouteAlias]] = [:]
    for alias in aliases { known[alias.type, default: []].append(alias) }
    for index in declarations.indices {
      guard let mine = known.removeValue(forKey: declarations[index].type) else { continue }
      declarations[index].aliases += mine.map(\.pattern)
      var readings: [RoutePattern: RouteAlias.Reading] = [:]
      for alias in mine {
        readings[alias.pattern] = alias.read
        declarations[index].aliasPlaces[alias.pattern] = alias.place
      }
      if readings.isEmpty { continue }
      declarations[index].readAliases = Set(readings.keys)
      let decode = declarations[index].decode
      declarations[index].decode = { [readings] input throws(RouteError) in
        guard let read = readings[input.pattern] else { return try decode(input) }
        return try read(input)
      }
    }
    aliases = aliases.filter { known[$0.type] != nil }
  }
}

/// An alias of a route, kept until the route's declaration is known.
struct RouteAlias: Sendable {
  typealias Reading = @Sendable (RouteInput) throws(RouteError) -> any Sendable

  let type: ObjectIdentifier
  let pattern: RoutePattern
  let place: RouteTable.Place
  /// Reads the route from the alias; nil if the route's own initializer reads it.
  let read: Reading?

  /// Returns the alias as the table matches it: with the optional parameters of the route's own pattern that
  /// the alias does not name.
  ///
  /// An optional segment becomes a query field of the same name.
  static func completed(_ alias: RoutePattern, by canonical: RoutePattern) -> RoutePattern {
    guard alias.fault == nil, canonical.fault == nil else { return alias }
    let names = alias.parameterNames
    let keys = alias.fields.map(\.key)
    var more = canonical.fields.filter(\.isOptional)
    if canonical.isLastOptional, case .value(let name, let kind) = canonical.segments.last {
      more.append(RoutePattern.Field(key: name, name: name, kind: kind, isOptional: true))
    }
    more = more.filter { !names.contains($0.name) && !keys.contains($0.key) }
    if more.isEmpty { return alias }
    let fields = more.map { "\(PercentEncoding.encode($0.key))={\($0.name):\($0.kind)?}" }
    return RoutePattern(
      stringLiteral: alias.text + (alias.fields.isEmpty ? "?" : "&") + fields.joined(separator: "&"))
  }
}
