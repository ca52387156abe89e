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
