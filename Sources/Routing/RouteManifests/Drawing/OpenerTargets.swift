import Mediation

/// What a source or a module opens, by positions in the manifest.
struct OpenerTargets: Sendable, Hashable {
  /// A route, or the head of a module's card.
  struct Target: Sendable, Hashable {
    let module: Int
    let route: Int?
  }

  let kind: RouteDrawing.Opener.Kind
  let name: String
  let note: String
  let targets: [Target]

  /// Returns the openers of an app: its sources, then the modules with needs.
  static func all(in manifest: RouteManifest) -> [OpenerTargets] {
    let sources = manifest.sources.map { source in
      let targets = manifest.modules.enumerated().flatMap { module, item in
        item.routes.indices.filter { item.routes[$0].sources.contains(source) }
          .map { Target(module: module, route: $0) }
      }
      return OpenerTargets(
        kind: .source, name: source.words,
        note: "opens \(count(targets.count, "route"))", targets: targets)
    }
    let modules = manifest.modules.compactMap { module -> OpenerTargets? in
      let targets = module.needs.compactMap { manifest.target(of: $0) }
      guard !targets.isEmpty else { return nil }
      let routes = module.needs.count { $0.kind == .route }
      let parts = [(routes, "route"), (module.needs.count - routes, "provider")].filter { $0.0 > 0 }
      let note = "needs \(parts.map(count).joined(separator: ", "))"
      return OpenerTargets(kind: .module, name: module.name, note: note, targets: targets)
    }
    return sources + modules
  }

  private static func count(_ number: Int, _ one: String) -> String {
    "\(number) \(one)\(number == 1 ? "" : "s")"
  }
}

extension RouteManifest {
  fileprivate func target(of need: Need) -> OpenerTargets.Target? {
    guard let module = modules.firstIndex(where: { $0.name == need.module }) else { return nil }
    let route = need.kind == .route ? modules[module].routes.firstIndex { $0.name == need.name } : nil
    return OpenerTargets.Target(module: module, route: route)
  }
}
