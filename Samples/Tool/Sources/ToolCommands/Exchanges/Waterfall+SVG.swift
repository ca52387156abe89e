extension Waterfall {
  /// Returns the drawing as an SVG document, for light and dark backgrounds.
  ///
  /// It has the same exchanges, phases and texts as the drawing in text, and no script.
  ///
  /// - Parameter hiding: Hides further secrets in a text.
  public func svg(hiding: (String) -> String = { $0 }) -> String {
    var rows = SVGRows(end: max(drawnEnd, total))
    for exchange in exchanges {
      rows.addHeading(heading(of: exchange, Ink(isOn: false)).map(hiding))
      for phase in Self.phases(of: exchange) { rows.add(phase) }
    }
    rows.addSummary(summary(Ink(isOn: false)))
    return rows.document
  }

  private var drawnEnd: Duration {
    exchanges.flatMap(Self.phases).map { $0.start + $0.time }.max() ?? .zero
  }
}

/// The rows of a drawing, from top to bottom.
private struct SVGRows {
  private static let (width, margin, left, rowHeight) = (900, 16, 200, 20)

  /// The number of characters that fit into the width.
  private static let columns = 108

  let end: Duration
  private var y = 12
  private var elements: [String] = []
  private var title = ""

  init(end: Duration) { self.end = end }

  mutating func addHeading(_ lines: [String]) {
    if y > 12 { y += 10 }
    for (index, line) in lines.enumerated() {
      y += Self.rowHeight
      let text = line.count > Self.columns ? "\(line.prefix(Self.columns - 1))…" : line
      elements.append(Self.text(text, x: Self.margin, y: y, style: index == 0 ? "head" : "fact"))
    }
  }

  mutating func add(_ phase: Waterfall.Phase) {
    y += Self.rowHeight
    elements.append(Self.text(phase.name, x: Self.margin + 12, y: y, style: "label"))
    elements.append(Self.text(Figures.text(phase.time), x: Self.left - 12, y: y, style: "time"))
    let room = Double(Self.width - Self.margin - Self.left)
    let whole = Figures.seconds(end)
    let scale = whole > 0 ? room / whole : 0
    // A phase of no time is visible, too, and inside the drawing.
    let start = min(max(Figures.seconds(phase.start) * scale, 0), room - 1)
    let length = min(max(Figures.seconds(phase.time) * scale, 1), room - start)
    let kind = phase.name.replacing(" ", with: "-")
    elements.append(
      """
      <rect class="\(Self.escaped(kind))" x="\(Self.number(Double(Self.left) + start))" y="\(y - 13)" \
      width="\(Self.number(length))" height="16" rx="2"/>
      """)
  }

  mutating func addSummary(_ line: String) {
    y += Self.rowHeight + 10
    elements.append(Self.text(line, x: Self.margin, y: y, style: "head"))
    title = line
  }

  var document: String {
    let height = y + 16
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.width) \(height)" width="\(Self.width)" \
      height="\(height)" role="img" aria-label="\(Self.escaped(title))">
      <style>
      svg { background: #fff; font: 13px ui-monospace, Menlo, monospace; }
      text { fill: #1c1c1e; } .head { font-weight: bold; } .fact, .time { fill: #6b6b70; }
      .time { text-anchor: end; } rect { fill: #3a9a55; } .queue { fill: #9a9aa0; } .name { fill: #2a9db0; }
      .connect { fill: #3b6fd4; } .tls { fill: #c79a1e; }
      @media (prefers-color-scheme: dark) {
        svg { background: #1c1c1e; } text { fill: #f2f2f7; } .fact, .time { fill: #a1a1a8; }
      }
      </style>
      \(elements.joined(separator: "\n"))
      </svg>

      """
  }

  private static func text(_ text: String, x: Int, y: Int, style: String) -> String {
    #"<text class="\#(style)" x="\#(x)" y="\#(y)">\#(escaped(text))</text>"#
  }

  private static func number(_ value: Double) -> String { Figures.decimals(value, 1) }

  private static func escaped(_ text: String) -> String {
    Printable.text(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
  }
}
