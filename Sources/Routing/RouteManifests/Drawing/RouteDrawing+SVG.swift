extension RouteDrawing {
  /// The drawing as an SVG document.
  package var svg: String {
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"routes\" width=\"\(width)\" height=\"\(height)\" "
        + "viewBox=\"0 0 \(width) \(height)\" role=\"img\" aria-labelledby=\"routes-title routes-summary\">",
      "<title id=\"routes-title\">\(Self.escaped(texts.first?.text ?? ""))</title>",
      "<desc id=\"routes-summary\">\(Self.escaped(summary))</desc>",
      Self.style,
      "<rect class=\"paper\" width=\"\(width)\" height=\"\(height)\" rx=\"14\"/>",
    ]
    lines += texts.map(Self.element)
    for card in cards {
      lines.append("<g>" + Self.rectangle(card.frame, radius: 10, class: "card"))
      lines += card.texts.map(Self.element)
      lines += card.routes.flatMap(Self.elements)
      lines.append("</g>")
    }
    lines += connectors.map { "<path class=\"link\" d=\"M\($0.from) \($0.y)H\($0.to)\"/>" }
    for opener in openers {
      lines.append("<g class=\"\(opener.kind.rawValue) o\(opener.color % Self.colors.count)\">")
      lines += opener.lanes.map { "<path class=\"line\" d=\"\(path(from: opener.frame, to: $0))\"/>" }
      lines.append(Self.rectangle(opener.frame, radius: opener.kind == .source ? 12 : 4, class: "opener"))
      lines += opener.texts.map(Self.element)
      lines.append("</g>")
    }
    // After all lines, so that none covers a dot.
    for opener in openers {
      let dots = opener.lanes.flatMap { lane in lane.stops.map { Self.dot(opener, x: lane.x, y: $0) } }
      if !dots.isEmpty {
        lines.append("<g class=\"o\(opener.color % Self.colors.count)\">\(dots.joined())</g>")
      }
    }
    return (lines + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  /// The path of a line: sideways from its opener, then down to its last stop.
  private func path(from frame: Frame, to lane: Lane) -> String {
    let y = frame.y + frame.height / 2
    let isLeft = lane.x < frame.x
    let turn = isLeft ? lane.x + 8 : lane.x - 8
    return
      "M\(isLeft ? frame.x : frame.right) \(y)H\(turn)Q\(lane.x) \(y) \(lane.x) \(y + 8)V\(lane.stops.last ?? y)"
  }

  private static func elements(of box: Box) -> [String] {
    let isLit = box.isLit ? " lit" : ""
    return ["<g><title>\(escaped(box.summary))</title>"]
      + [
        rectangle(
          box.frame, radius: box.border == .native ? 14 : 6, class: "route \(box.border.rawValue)\(isLit)")
      ]
      + box.texts.map(element) + ["</g>"]
  }

  private static func dot(_ opener: Opener, x: Int, y: Int) -> String {
    opener.kind == .source
      ? "<circle class=\"dot\" cx=\"\(x)\" cy=\"\(y)\" r=\"4.5\"/>"
      : "<rect class=\"dot\" x=\"\(x - 4)\" y=\"\(y - 4)\" width=\"8\" height=\"8\"/>"
  }

  private static func rectangle(_ frame: Frame, radius: Int, class name: String) -> String {
    "<rect class=\"\(name)\" x=\"\(frame.x)\" y=\"\(frame.y)\" width=\"\(frame.width)\" height=\"\(frame.height)\" "
      + "rx=\"\(radius)\"/>"
  }

  private static func element(_ text: Text) -> String {
    let end = text.endsAtX ? " text-anchor=\"end\"" : ""
    return
      "<text class=\"\(text.style.rawValue)\" x=\"\(text.x)\" y=\"\(text.y)\"\(end)>\(escaped(text.text))</text>"
  }

  /// Escapes a text for content and for quoted attributes.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.append(character)
      }
    }
    return result
  }
}

extension RouteDrawing {
  /// The colors of lines, for light and for dark surroundings; each has a contrast of 3 to its background.
  private static let colors = [
    (light: "#3f45c8", dark: "#a3a8ff"), (light: "#0f7a76", dark: "#5fd0c9"),
    (light: "#a4501b", dark: "#f0a875"), (light: "#8a2f8f", dark: "#e39be6"),
    (light: "#c2264b", dark: "#ff7d98"), (light: "#5f7413", dark: "#b7d55c"),
    (light: "#1f6fb2", dark: "#6fb7ff"), (light: "#6b5b4b", dark: "#c9b8a6"),
  ]

  private static var style: String {
    func lines(_ color: (Int) -> String) -> String {
      colors.indices.map { ".routes .o\($0) { color: \(color($0)); }" }.joined(separator: "\n")
    }
    return """
      <style>
      .routes .paper { fill: #fbfbfa; }
      .routes .card { fill: #ffffff; stroke: #e4e3df; }
      .routes .route { fill: #fbfbfa; stroke: #c9c8c2; }
      .routes .inner { stroke-dasharray: 4 3; }
      .routes .route.lit { fill: #ebecfb; stroke: #3f45c8; stroke-width: 1.5; }
      .routes text { fill: #1b1b1f; font: 12px ui-sans-serif, system-ui, "Segoe UI", "Helvetica Neue", "DejaVu Sans", sans-serif; }
      .routes .note, .routes .pattern { fill: #55555e; }
      .routes .guards { fill: #7a4a00; }
      .routes .title { font-size: 22px; font-weight: 650; }
      .routes .heading { font-size: 16px; font-weight: 650; }
      .routes .name { font-size: 13px; font-weight: 600; }
      .routes .pattern { font: 11px ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
      .routes .link { fill: none; stroke: #c9c8c2; stroke-width: 1.5; }
      .routes .line { fill: none; stroke: currentColor; stroke-width: 2; }
      .routes .module .line { stroke-dasharray: 6 3; }
      .routes .opener { fill: #ffffff; stroke: currentColor; stroke-width: 1.5; }
      .routes .dot { fill: currentColor; stroke: #fbfbfa; stroke-width: 1.5; }
      \(lines { colors[$0].light })
      @media (prefers-color-scheme: dark) {
      .routes .paper { fill: #111114; }
      .routes .card { fill: #19191d; stroke: #2d2d33; }
      .routes .route { fill: #111114; stroke: #4a4a52; }
      .routes .route.lit { fill: #25264a; stroke: #a3a8ff; }
      .routes text { fill: #f0f0f2; }
      .routes .note, .routes .pattern { fill: #a9a9b3; }
      .routes .guards { fill: #f2c069; }
      .routes .link { stroke: #4a4a52; }
      .routes .opener { fill: #19191d; }
      .routes .dot { stroke: #111114; }
      \(lines { colors[$0].dark })
      }
      </style>
      """
  }
}
