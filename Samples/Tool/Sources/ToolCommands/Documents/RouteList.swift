import Mediation
public import RouteManifests

/// The routes of a manifest as a table for a terminal.
public struct RouteList: Sendable {
  private let manifest: RouteManifest

  /// Creates the table of a manifest.
  public init(_ manifest: RouteManifest) { self.manifest = manifest }

  /// The width of a column that cells do not stretch; a longer one moves the rest of its row.
  private static let maximumWidth = 44

  /// Returns the table as lines: a heading for each module, and a row for each of its routes.
  public func lines(_ ink: Ink) -> [String] {
    let count = manifest.modules.reduce(0) { $0 + $1.routes.count }
    let counts = "\(Figures.count(count, "route")) of \(Figures.count(manifest.modules.count, "module"))"
    var lines = [ink(.bold, Printable.text(manifest.app)) + ": \(counts)"]
    for module in manifest.modules {
      lines += ["", ink(.bold, Printable.text(module.name))]
      let rows = module.routes.map(Self.row)
      let widths = (0..<3).map { column in
        rows.map { $0[column].count }.filter { $0 <= Self.maximumWidth }.max() ?? 0
      }
      for row in rows {
        let cells = zip(row, widths).map { Figures.left($0, $1) } + row.dropFirst(3)
        lines.append("  " + cells.joined(separator: "  "))
      }
    }
    return lines
  }

  /// The URL, the name, the answer, and who may open it.
  private static func row(of route: RouteManifest.Route) -> [String] {
    let sources = route.sources.map { source in source.kind + (source.name.map { " \($0)" } ?? "") }
    let reach = route.reach.rawValue + (sources.isEmpty ? "" : " (\(sources.joined(separator: ", ")))")
    let guards = route.guards.isEmpty ? "" : "; guards: \(route.guards.joined(separator: ", "))"
    let cells = [
      route.patterns.first ?? "(native)", route.name, "→ \(route.output)",
      reach + guards,
    ]
    return cells.map(Printable.text)
  }
}
