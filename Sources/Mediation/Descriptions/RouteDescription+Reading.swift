extension RouteDescription {
  init(_ registered: RegisteredRoute) {
    let route = registered.declaration
    name = route.place.name
    module = route.module
    purpose = route.purpose
    pattern = route.pattern?.text
    aliases = route.aliases.map(\.text).sorted()
    reach = Reach(route.exposure)
    sources = Source.all(of: route.exposure)
    parameters = route.pattern.map(Parameter.all) ?? []
    output = route.output
    guards = registered.guards.map(\.id)
    priority = route.priority
    file = route.place.file
    line = route.place.line
  }

  /// Orders by module, then pattern, then name; native routes come last in their module.
  static func precedes(_ first: RouteDescription, _ second: RouteDescription) -> Bool {
    if first.module != second.module { return first.module < second.module }
    return switch (first.pattern, second.pattern) {
    case (let one?, let two?) where one != two: one < two
    case (_?, nil): true
    case (nil, _?): false
    default: first.name < second.name
    }
  }
}

extension RouteDescription.Reach {
  fileprivate init(_ exposure: Exposure?) {
    self =
      switch exposure {
      case nil: .native
      case .moduleOnly: .moduleOnly
      case .app: .app
      case .link: .link
      }
  }
}

extension RouteDescription.Source {
  fileprivate static func all(of exposure: Exposure?) -> [Self] {
    guard case .link(let sources) = exposure else { return [] }
    return sources.map(Self.init).sorted { ($0.kind, $0.name ?? "") < ($1.kind, $1.name ?? "") }
  }

  private init(_ source: LinkSource) {
    switch source.normalized {
    case .scheme(let scheme): self.init(kind: "scheme", name: scheme)
    case .universal(let host): self.init(kind: "universal", name: host)
    case .push: self.init(kind: "push", name: nil)
    case .web(let host): self.init(kind: "web", name: host)
    case .shortcut: self.init(kind: "shortcut", name: nil)
    }
  }
}

extension RouteDescription.Parameter {
  fileprivate static func all(of pattern: RoutePattern) -> [Self] {
    let path = pattern.segments.enumerated().compactMap { index, segment -> Self? in
      switch segment {
      case .literal: nil
      case .value(let name, let kind):
        Self(name: name, kind: kind.description, key: nil, isOptional: index >= pattern.leastCount)
      case .rest(let name): Self(name: name, kind: "rest", key: nil, isOptional: false)
      }
    }
    return path
      + pattern.fields.map { field in
        Self(name: field.name, kind: field.kind.description, key: field.key, isOptional: field.isOptional)
      }
  }
}
