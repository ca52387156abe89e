import Glibc

/// Panels beside each other, one for each quantity per unit, as the text of an SVG file.
///
/// Both axes of a panel are logarithmic, so a quantity that does not grow is a level line. The dashed line is
/// a logarithm through the last point. The colors follow the reader's choice between light and dark.
public struct GrowthPlot: Sendable, CustomStringConvertible {
  /// A quantity per unit.
  public struct Panel: Sendable {
    let title: String
    let axis: String
    let unit: Unit
    let series: GrowthSeries

    /// Creates a panel.
    ///
    /// - Parameters:
    ///   - title: What is measured.
    ///   - axis: What is counted on the horizontal axis.
    public init(_ title: String, axis: String, _ unit: Unit, _ series: GrowthSeries) {
      self.title = title
      self.axis = axis
      self.unit = unit
      self.series = series
    }
  }

  private static let (width, height, columns) = (300.0, 210.0, 3)
  /// The plotted area of a panel.
  private static let (left, right, top, bottom) = (58.0, 252.0, 34.0, 160.0)
  private let title: String
  private let panels: [Panel]

  /// Creates a plot; panels without points are left out.
  public init(_ title: String, _ panels: [Panel]) {
    self.title = title
    self.panels = panels.filter { !$0.series.points.isEmpty }
  }

  /// The text of the file.
  public var description: String {
    let rows = (panels.count + Self.columns - 1) / Self.columns
    let size = (
      Self.width * Double(min(Self.columns, max(panels.count, 1))), Self.height * Double(max(rows, 1))
    )
    let (width, height) = (Decimals.text(size.0, 0), Decimals.text(size.1, 0))
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\" "
        + "viewBox=\"0 0 \(width) \(height)\" role=\"img\">",
      "<title>\(Self.escaped(title))</title>", Self.style,
      "<rect class=\"ground\" width=\"\(width)\" height=\"\(height)\"/>",
    ]
    for (number, panel) in panels.enumerated() {
      let place = (number % Self.columns, number / Self.columns)
      lines.append(
        "<g transform=\"translate(\(Self.text(Self.width * Double(place.0))) "
          + "\(Self.text(Self.height * Double(place.1))))\">")
      lines += Self.lines(of: panel)
      lines.append("</g>")
    }
    return (lines + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  private static let style = """
    <style>
    text { font: 11px system-ui, sans-serif; fill: #57606a }
    .ground { fill: #ffffff } .name { font-weight: 600; fill: #1f2328 } .value { fill: #1f2328 }
    .end { text-anchor: end } .middle { text-anchor: middle }
    .grid { stroke: #d8dee4 } .line { stroke: #0969da; stroke-width: 2; fill: none } .dot { fill: #0969da }
    .log { stroke: #8c959f; stroke-dasharray: 4 3; fill: none }
    @media (prefers-color-scheme: dark) {
    text { fill: #9198a1 } .ground { fill: #0d1117 } .name { fill: #f0f6fc } .value { fill: #f0f6fc }
    .grid { stroke: #30363d } .line { stroke: #4493f8 } .dot { fill: #4493f8 } .log { stroke: #656c76 }
    }
    </style>
    """

  private static func lines(of panel: Panel) -> [String] {
    let points = panel.series.points
    guard let first = points.first, let last = points.last else { return [] }
    let values = points.map(\.value)
    let x = Scale(Double(first.size), Double(last.size), from: left, to: right, decades: 1)
    let y = Scale(values.min() ?? 1, values.max() ?? 1, from: bottom, to: top, decades: 2)
    var lines = [
      "<text class=\"name\" x=\"8\" y=\"16\">\(escaped(panel.title))</text>",
      "<text class=\"middle\" x=\"\(text((left + right) / 2))\" y=\"\(text(bottom + 36))\">\(escaped(panel.axis))</text>",
    ]
    for value in y.decades {
      let height = text(y.place(value))
      lines.append("<path class=\"grid\" d=\"M\(text(left)) \(height)H\(text(right))\"/>")
      lines.append(
        "<text class=\"end\" x=\"\(text(left - 6))\" y=\"\(text(y.place(value) + 4))\">\(panel.unit.short(value))</text>"
      )
    }
    for size in x.decades {
      let place = text(x.place(size))
      lines.append("<path class=\"grid\" d=\"M\(place) \(text(bottom))v4\"/>")
      lines.append(
        "<text class=\"middle\" x=\"\(place)\" y=\"\(text(bottom + 18))\">\(Unit.short(count: size))</text>")
    }
    let logarithm = points.map { point in
      let value = last.value * log2(Double(point.size) + 1) / log2(Double(last.size) + 1)
      return (x.place(Double(point.size)), min(y.place(value), bottom))
    }
    lines.append("<path class=\"log\" d=\"\(path(logarithm))\"/>")
    let places = points.map { (x.place(Double($0.size)), y.place($0.value)) }
    lines.append("<path class=\"line\" d=\"\(path(places))\"/>")
    for (point, place) in zip(points, places) {
      lines.append(
        "<circle class=\"dot\" cx=\"\(text(place.0))\" cy=\"\(text(place.1))\" r=\"3\"><title>"
          + "\(point.size): \(panel.unit.text(point.value))</title></circle>")
    }
    lines.append(
      "<text class=\"value\" x=\"\(text(right + 6))\" y=\"\(text(y.place(last.value) + 4))\">\(panel.unit.short(last.value))</text>"
    )
    return lines
  }

  private static func path(_ places: [(Double, Double)]) -> String {
    "M" + places.map { "\(text($0.0)) \(text($0.1))" }.joined(separator: "L")
  }

  private static func text(_ number: Double) -> String { Decimals.text(number, 1) }

  private static func escaped(_ text: String) -> String {
    text.map { character in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      default: String(character)
      }
    }.joined()
  }

  /// A logarithmic axis that contains both values and spans a minimum of decades.
  private struct Scale {
    private let (low, high): (Double, Double)
    private let (start, end): (Double, Double)

    init(_ least: Double, _ most: Double, from start: Double, to end: Double, decades: Double) {
      (self.start, self.end) = (start, end)
      let missing = max(0, decades - (log10(most) - log10(least)))
      (low, high) = (log10(least) - missing / 2, log10(most) + missing / 2)
    }

    func place(_ value: Double) -> Double { start + (log10(value) - low) / (high - low) * (end - start) }

    /// The powers of ten between the ends, at most about eight.
    var decades: [Double] {
      let (first, last) = (Int((low - 1e-9).rounded(.up)), Int((high + 1e-9).rounded(.down)))
      guard first <= last else { return [] }
      return stride(from: first, through: last, by: (last - first) / 6 + 1).map { pow(10, Double($0)) }
    }
  }
}
