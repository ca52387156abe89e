/// A further pattern of a route, until the route's declaration is known.
struct RouteAlias: Sendable {
  let type: ObjectIdentifier
  let pattern: RoutePattern
  /// The pattern whose placeholders the alias must have; nil if it is read by code of its own.
  let canonical: RoutePattern?
  let place: RoutePlace
  let decode: @Sendable (RouteInput) throws(RouteError) -> any Sendable

  /// The required placeholders of the route's pattern that the alias lacks.
  var lackingNames: [String] {
    guard let canonical, canonical.fault == nil, pattern.fault == nil else { return [] }
    let names = pattern.parameterNames
    let optional = canonical.fields.filter(\.isOptional).map(\.name)
    return canonical.parameterNames.filter { !names.contains($0) && !optional.contains($0) }
  }

  /// The same route under the alias's pattern.
  func declaration(of route: RouteDeclaration) -> RouteDeclaration {
    RouteDeclaration(
      type: route.type, pattern: pattern, exposure: route.exposure, output: route.output,
      purpose: route.purpose, place: place, guards: route.guards, priority: route.priority,
      needs: route.needs, isAlias: true, decode: decode, run: route.run)
  }

  /// An alias as the table matches it: with the optional query fields of the route's pattern that it does not name itself.
  static func completed(_ alias: RoutePattern, by canonical: RoutePattern) -> RoutePattern {
    guard alias.fault == nil, canonical.fault == nil else { return alias }
    let names = alias.parameterNames
    let keys = alias.fields.map(\.key)
    let more = canonical.fields.filter { field in
      field.isOptional && !names.contains(field.name) && !keys.contains(field.key)
    }
    if more.isEmpty { return alias }
    let fields = more.map { "\(PercentEncoding.encode($0.key))={\($0.name):\($0.kind.rawValue)?}" }
    return RoutePattern(
      stringLiteral: alias.text + (alias.fields.isEmpty ? "?" : "&") + fields.joined(separator: "&"))
  }
}
