import Mediation

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
