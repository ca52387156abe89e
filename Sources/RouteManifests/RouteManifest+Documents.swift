import Mediation

extension RouteManifest {
  /// Returns all documents of the manifest, which are the same on every machine.
  ///
  /// They are `routes.json`, `routes.md`, `routes.mmd` and `Info.plist`. If the manifest has an app ID, there
  /// is also one `apple-app-site-association`, or, for several hosts with links, one in a folder for each
  /// host.
  public func documents() throws -> [ManifestDocument] {
    try ManifestFormat.allCases.flatMap(documents)
  }

  /// Returns the documents of one format: one for each host for `association`, exactly one for the others.
  public func documents(in format: ManifestFormat) throws -> [ManifestDocument] {
    switch format {
    case .json: return [ManifestDocument(path: "routes.json", text: try json())]
    case .markdown: return [ManifestDocument(path: "routes.md", text: markdown)]
    case .mermaid: return [ManifestDocument(path: "routes.mmd", text: mermaid)]
    case .plist: return [ManifestDocument(path: "Info.plist", text: try infoPlist())]
    case .association:
      let name = "apple-app-site-association"
      let associations = appIDs.isEmpty ? [] : appSiteAssociations
      return try associations.map { association in
        let path = associations.count == 1 ? name : "\(association.host)/\(name)"
        return ManifestDocument(path: path, text: try association.json())
      }
    }
  }
}

/// A format of a manifest.
public enum ManifestFormat: String, Sendable, Hashable, CaseIterable {
  /// The whole manifest as JSON.
  case json
  /// Tables in Markdown.
  case markdown
  /// A Mermaid flowchart of modules, routes and sources, which many Markdown viewers render.
  case mermaid
  /// The `https` links of each host that open the app, for the hosts to serve.
  case association
  /// The URL schemes of the app, for its `Info.plist`.
  case plist
}

/// A text generated from a manifest, and the file that it belongs in.
public struct ManifestDocument: Sendable, Hashable {
  /// The path of the file, relative to the manifest's folder.
  public let path: String
  /// The whole text, which ends in a newline.
  public let text: String
}

extension RouteManifest {
  /// A Markdown page with a table for each module: its routes, their parameters, outputs, sources and guards.
  public var markdown: String {
    var lines = ["# Routes of \(Self.cell(app))", ""]
    if modules.isEmpty { lines += ["There are none.", ""] }
    for module in modules {
      lines += ["## \(Self.cell(module.name))", ""]
      lines += ["| route | URL | parameters | answers | reached by | guards |", "|---|---|---|---|---|---|"]
      lines += module.routes.map { "| " + Self.cells(of: $0).joined(separator: " | ") + " |" }
      lines.append("")
    }
    return lines.joined(separator: "\n")
  }

  private static func cells(of route: Route) -> [String] {
    let purpose = route.purpose.isEmpty ? "" : "<br>" + cell(route.purpose)
    let priority = route.priority == 0 ? "" : "<br>priority \(route.priority)"
    let parameters = route.parameters.map { parameter in
      "`\(parameter.name)` \(parameter.kind)"
        + (parameter.key == nil ? "" : " in the query") + (parameter.isOptional ? ", optional" : "")
    }
    return [
      "`\(cell(route.name))`" + purpose,
      route.patterns.isEmpty
        ? "—" : route.patterns.map { "`\(cell($0))`" }.joined(separator: "<br>") + priority,
      parameters.isEmpty ? "—" : parameters.map(cell).joined(separator: "<br>"),
      "`\(cell(route.output))`",
      reach(of: route),
      route.guards.isEmpty ? "—" : route.guards.map(cell).joined(separator: ", "),
    ]
  }

  private static func reach(of route: Route) -> String {
    switch route.reach {
    case .native: "code with its type"
    case .moduleOnly: "its module"
    case .app: "the app"
    case .link: "the app, " + route.sources.map { cell($0.words) }.joined(separator: ", ")
    }
  }

  /// Escapes a text for a table cell.
  private static func cell(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("|", with: "\\|")
      .split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

extension RouteManifest {
  /// A Mermaid flowchart with a box of routes for each module and arrows from the sources.
  ///
  /// A route that can be opened by URL is a rectangle, a native route has round ends, and a route that only
  /// its own module can reach has a dashed border.
  public var mermaid: String {
    var lines = ["flowchart LR"]
    let sources = sources
    if !sources.isEmpty {
      lines.append("  subgraph outside[\"outside\"]")
      for (index, source) in sources.enumerated() {
        lines.append("    source\(index){{\"\(Self.label(source.words))\"}}")
      }
      lines.append("  end")
    }
    var arrows: [String] = []
    var inner: [String] = []
    var number = 0
    for (index, module) in modules.enumerated() {
      lines.append("  subgraph module\(index)[\"\(Self.label(module.name))\"]")
      for route in module.routes {
        let id = "route\(number)"
        number += 1
        lines.append("    \(id)\(Self.shape(of: route))")
        if route.reach == .moduleOnly { inner.append(id) }
        for (index, source) in sources.enumerated() where route.sources.contains(source) {
          arrows.append("  source\(index) --> \(id)")
        }
      }
      lines.append("  end")
    }
    lines += arrows
    if !inner.isEmpty {
      lines.append("  classDef inner stroke-dasharray: 4 4")
      lines.append("  class \(inner.joined(separator: ",")) inner")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func shape(of route: Route) -> String {
    let answer = ["Void", "()"].contains(route.output) ? [] : ["→ \(route.output)"]
    let text = ([route.name] + route.patterns + answer).map(label).joined(separator: "<br/>")
    return route.patterns.isEmpty ? "([\"\(text)\"])" : "[\"\(text)\"]"
  }

  /// Escapes a text for a quoted label; Mermaid writes special characters as `#name;`.
  private static func label(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
      .replacing("#", with: "#35;").replacing("\"", with: "#quot;")
      .replacing("<", with: "#lt;").replacing(">", with: "#gt;")
  }
}
