import Mediation
public import RouteManifests

/// What has changed between two manifests of an app's routes.
public struct ManifestDifference: Sendable, Hashable {
  /// A change of a route, a module or the app.
  public struct Change: Sendable, Hashable {
    /// Whether something was added, removed or changed.
    public enum Kind: String, Sendable, Hashable {
      /// It is in the new manifest only.
      case added = "+"
      /// It is in the old manifest only.
      case removed = "-"
      /// It is in both, with differences.
      case changed = "~"
    }

    /// The kind of the change.
    public let kind: Kind
    /// What has changed, such as "Account.LoginRoute estate://login".
    public let subject: String
    /// The differences of something that is in both, such as "guards: none → members".
    public let details: [String]
  }

  /// The changes, sorted by module and route; empty if the manifests are equal.
  public let changes: [Change]

  /// Compares two manifests.
  public init(from old: RouteManifest, to new: RouteManifest) {
    var changes: [Change] = []
    let app = Self.details([
      ("name", [old.app], [new.app]), ("identifiers", old.appIDs, new.appIDs),
    ])
    if !app.isEmpty { changes.append(Change(kind: .changed, subject: "app \(new.app)", details: app)) }
    let (oldModules, newModules) = (Self.modules(of: old), Self.modules(of: new))
    for name in Set(oldModules.keys).union(newModules.keys).sorted() {
      changes += Self.changes(from: oldModules[name], to: newModules[name])
    }
    self.changes = changes
  }

  /// Returns the changes as lines.
  public func lines(_ ink: Ink) -> [String] {
    changes.flatMap { change in
      let style: Ink.Style =
        switch change.kind {
        case .added: .green
        case .removed: .red
        case .changed: .yellow
        }
      return [ink(style, "\(change.kind.rawValue) \(change.subject)")] + change.details.map { "    \($0)" }
    }
  }

  private static func modules(of manifest: RouteManifest) -> [String: RouteManifest.Module] {
    Dictionary(manifest.modules.map { ($0.name, $0) }) { first, _ in first }
  }

  private static func changes(
    from old: RouteManifest.Module?, to new: RouteManifest.Module?
  ) -> [Change] {
    guard let name = new?.name ?? old?.name else { return [] }
    var changes: [Change] = []
    if old == nil { changes.append(Change(kind: .added, subject: "module \(shown(name))", details: [])) }
    if new == nil { changes.append(Change(kind: .removed, subject: "module \(shown(name))", details: [])) }
    if let old, let new {
      let needs = details([("needs", old.needs.map(text), new.needs.map(text))])
      if !needs.isEmpty {
        changes.append(Change(kind: .changed, subject: "module \(shown(name))", details: needs))
      }
    }
    let (before, after) = (routes(of: old), routes(of: new))
    for key in Set(before.keys).union(after.keys).sorted() {
      switch (before[key], after[key]) {
      case (nil, let route?):
        changes.append(Change(kind: .added, subject: subject(route, in: name), details: []))
      case (let route?, nil):
        changes.append(Change(kind: .removed, subject: subject(route, in: name), details: []))
      case (let old?, let new?) where old != new:
        changes.append(Change(kind: .changed, subject: subject(new, in: name), details: details(old, new)))
      default: break
      }
    }
    return changes
  }

  /// The routes by name; those of one name, which a module may have for several patterns, are numbered.
  private static func routes(of module: RouteManifest.Module?) -> [String: RouteManifest.Route] {
    var counts: [String: Int] = [:]
    var routes: [String: RouteManifest.Route] = [:]
    for route in module?.routes ?? [] {
      let count = counts[route.name, default: 0]
      counts[route.name] = count + 1
      routes[count == 0 ? route.name : "\(route.name) \(count + 1)"] = route
    }
    return routes
  }

  private static func details(_ old: RouteManifest.Route, _ new: RouteManifest.Route) -> [String] {
    details([
      ("URL", old.patterns, new.patterns), ("answers", [old.output], [new.output]),
      ("parameters", old.parameters.map(text), new.parameters.map(text)),
      ("reach", [old.reach.rawValue], [new.reach.rawValue]),
      ("sources", old.sources.map(text), new.sources.map(text)), ("guards", old.guards, new.guards),
      ("priority", ["\(old.priority)"], ["\(new.priority)"]), ("purpose", [old.purpose], [new.purpose]),
    ])
  }

  private static func details(_ rows: [(name: String, old: [String], new: [String])]) -> [String] {
    rows.filter { $0.old != $0.new }.map { name, old, new in "\(name): \(list(old)) → \(list(new))" }
  }

  private static func list(_ values: [String]) -> String {
    let values = values.filter { !$0.isEmpty }
    return values.isEmpty ? "none" : values.map(shown).joined(separator: ", ")
  }

  private static func subject(_ route: RouteManifest.Route, in module: String) -> String {
    shown("\(module).\(route.name)") + (route.patterns.first.map { " " + shown($0) } ?? "")
  }

  private static func shown(_ text: String) -> String { Printable.text(text) }

  private static func text(_ need: RouteManifest.Need) -> String {
    "\(need.kind.rawValue) \(need.name) of \(need.module)"
  }

  private static func text(_ parameter: RouteDescription.Parameter) -> String {
    let key = parameter.key.map { "?\($0)=" } ?? ""
    return "\(key){\(parameter.name):\(parameter.kind)}" + (parameter.isOptional ? " (optional)" : "")
  }

  private static func text(_ source: RouteDescription.Source) -> String {
    source.kind + (source.name.map { " \($0)" } ?? "")
  }
}
