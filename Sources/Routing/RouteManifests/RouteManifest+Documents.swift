import Mediation

extension RouteManifest {
  /// Returns all documents of the manifest, which are the same on every machine.
  ///
  /// They are `routes.json`, `routes.md`, `routes.svg` and `Info.plist`. If the manifest has an app ID, there
  /// is also one `apple-app-site-association`, or, for several hosts with links, one in a folder for each
  /// host.
  package func documents() throws -> [ManifestDocument] {
    try ManifestFormat.allCases.flatMap(documents)
  }

  /// Returns the documents of one format: one for each host for `association`, exactly one for the others.
  package func documents(in format: ManifestFormat) throws -> [ManifestDocument] {
    switch format {
    case .json: return [ManifestDocument(path: "routes.json", text: try json())]
    case .markdown: return [ManifestDocument(path: "routes.md", text: markdown)]
    case .svg: return [ManifestDocument(path: "routes.svg", text: drawing())]
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

extension RouteManifest {
  /// A Markdown page with a table for each module: its routes, their parameters, outputs, sources and guards.
  package var markdown: String {
    var lines = ["# Routes of \(Self.cell(app))", ""]
    if modules.isEmpty { lines += ["There are none.", ""] }
    for module in modules {
      lines += ["## \(Self.cell(module.name))", ""]
      lines += ["| route | URL | parameters | answers | reached by | guards |", "|---|---|---|---|---|---|"]
      lines += module.routes.map { "| " + Self.cells(of: $0).joined(separator: " | ") + " |" }
      lines.append("")
      if !module.needs.isEmpty {
        let needs = module.needs.map { "`\(Self.cell($0.name))` of \(Self.cell($0.module))" }
        lines += ["Needs: \(needs.joined(separator: ", ")).", ""]
      }
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
