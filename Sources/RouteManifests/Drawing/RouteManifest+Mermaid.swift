import Mediation

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
