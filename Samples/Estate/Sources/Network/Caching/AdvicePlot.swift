import Switchyard

/// Draws the hit ratios of a cache's advice over the limits as an SVG image, which follows the light or dark
/// mode of its viewer.
///
/// The horizontal axis is logarithmic. A dashed line shows the hit ratio of the run itself.
struct AdvicePlot {
  private let advice: CacheAdvice
  private let limits: [Int]
  private let policies: [CacheAdvice.Policy]

  init(_ advice: CacheAdvice) {
    self.advice = advice
    limits = Set(advice.results.map(\.bytes)).sorted()
    let policies = Set(advice.results.map(\.policy))
    self.policies = CacheAdvice.Policy.allCases.filter(policies.contains)
  }

  /// Returns the image with a heading.
  func svg(title: String = "Hit ratio by cache limit") -> String {
    var image = SVGImage(width: 640, height: 400, title: title, style: Self.style)
    image.add("rect", [("class", "background"), ("width", "640"), ("height", "400")])
    image.addText(title, x: 320, y: 26, anchor: "middle", class: "heading")
    addAxes(to: &image)
    if advice.requests > 0 {
      let y = Self.y(Double(advice.recordedHits) / Double(advice.requests))
      image.addLine(from: (Self.left, y), to: (Self.right, y), class: "run")
    }
    for (index, policy) in policies.enumerated() { add(policy, at: index, to: &image) }
    return image.text
  }

  // The edges of the plot.
  private static let (left, right, top, bottom) = (60.0, 510.0, 46.0, 340.0)

  private func x(_ limit: Int) -> Double {
    guard let first = limits.first, let last = limits.last, first < last else {
      return (Self.left + Self.right) / 2
    }
    let (low, high) = (Self.logarithm(first), Self.logarithm(last))
    return Self.left + 20 + (Self.right - Self.left - 40) * (Self.logarithm(limit) - low) / (high - low)
  }

  private static func y(_ ratio: Double) -> Double { bottom - (bottom - top) * ratio }

  /// An approximation of the logarithm to base 2, linear between powers of two.
  private static func logarithm(_ limit: Int) -> Double {
    let value = Double(limit + 1)
    return Double(value.exponent) + value.significand - 1
  }

  /// Returns a size in the largest unit in which it is at least one.
  private static func size(_ bytes: Int) -> String {
    let unit = bytes < 1 << 10 ? 0 : bytes < 1 << 20 ? 1 : bytes < 1 << 30 ? 2 : 3
    let text = SVGImage.number(Double(bytes) / Double(1 << (10 * unit)))
    return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + " " + ["B", "KiB", "MiB", "GiB"][unit]
  }

  private func addAxes(to image: inout SVGImage) {
    for percent in stride(from: 0, through: 100, by: 20) {
      let y = Self.y(Double(percent) / 100)
      image.addLine(
        from: (Self.left, y), to: (Self.right, y), class: percent == 0 ? "axis" : "grid")
      image.addText("\(percent) %", x: Self.left - 8, y: y + 4, anchor: "end")
    }
    image.addLine(from: (Self.left, Self.top), to: (Self.left, Self.bottom), class: "axis")
    image.addText("hit ratio", x: Self.left - 8, y: Self.top - 14, anchor: "end")
    // At most eight labels fit.
    let step = max(1, (limits.count + 7) / 8)
    for (index, limit) in limits.enumerated() where index % step == 0 {
      image.addLine(from: (x(limit), Self.bottom), to: (x(limit), Self.bottom + 5), class: "axis")
      image.addText(Self.size(limit), x: x(limit), y: Self.bottom + 20, anchor: "middle")
    }
    image.addText(
      "limit", x: (Self.left + Self.right) / 2, y: Self.bottom + 44, anchor: "middle")
  }

  private func add(_ policy: CacheAdvice.Policy, at index: Int, to image: inout SVGImage) {
    let points = limits.map { limit in
      (x: x(limit), y: Self.y(advice.result(of: policy, bytes: limit)?.hitRatio ?? 0))
    }
    let name = "policy\(index)"
    let path = points.map { "\(SVGImage.number($0.x)),\(SVGImage.number($0.y))" }.joined(separator: " ")
    image.add("polyline", [("class", name), ("points", path)])
    for point in points {
      image.add(
        "circle",
        [
          ("class", name), ("cx", SVGImage.number(point.x)), ("cy", SVGImage.number(point.y)), ("r", "3"),
        ])
    }
    let y = Self.top + 14 + 22 * Double(index)
    image.addLine(from: (Self.right + 16, y - 4), to: (Self.right + 40, y - 4), class: name)
    image.addText(policy.rawValue, x: Self.right + 48, y: y)
  }

  private static let style = """
    text { font: 12px sans-serif; fill: #24292f; }
    .heading { font-size: 15px; font-weight: bold; }
    .background { fill: #ffffff; }
    .axis { stroke: #57606a; } .grid { stroke: #d8dee4; } .run { stroke: #57606a; stroke-dasharray: 4 4; }
    polyline { fill: none; stroke-width: 2; } line { stroke-width: 1; }
    .policy0 { stroke: #0550ae; } .policy1 { stroke: #bc4c00; }
    .policy2 { stroke: #8250df; } .policy3 { stroke: #1a7f37; }
    circle { fill: #ffffff; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3; } .background, circle { fill: #0d1117; }
      .axis { stroke: #8b949e; } .grid { stroke: #30363d; } .run { stroke: #8b949e; }
      .policy0 { stroke: #79c0ff; } .policy1 { stroke: #ffa657; }
      .policy2 { stroke: #d2a8ff; } .policy3 { stroke: #7ee787; }
    }
    """
}

/// Writes an SVG image, with all texts and attributes escaped.
struct SVGImage {
  /// Attributes in the order in which they are written.
  typealias Attributes = [(name: String, value: String)]

  private var body = ""
  private let beginning: String

  /// Creates an image.
  ///
  /// - Parameter style: The style sheet, which must not contain `<` or `&`.
  init(width: Int, height: Int, title: String, style: String) {
    beginning = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" \
      height="\(height)" role="img">
      <title>\(Self.escaped(title))</title>
      <style>
      \(style)
      </style>

      """
  }

  /// The complete text.
  var text: String { beginning + body + "</svg>\n" }

  /// Adds an element, with a text if it is not nil.
  mutating func add(_ name: String, _ attributes: Attributes, text: String? = nil) {
    body += "<\(name)"
    for (name, value) in attributes { body += " \(name)=\"\(Self.escaped(value))\"" }
    body += text.map { ">\(Self.escaped($0))</\(name)>\n" } ?? "/>\n"
  }

  /// Adds a text.
  mutating func addText(
    _ text: String, x: Double, y: Double, anchor: String = "start", class name: String = ""
  ) {
    var attributes: Attributes = [("x", Self.number(x)), ("y", Self.number(y)), ("text-anchor", anchor)]
    if !name.isEmpty { attributes.append(("class", name)) }
    add("text", attributes, text: text)
  }

  /// Adds a line.
  mutating func addLine(from start: (Double, Double), to end: (Double, Double), class name: String) {
    add(
      "line",
      [
        ("class", name), ("x1", Self.number(start.0)), ("y1", Self.number(start.1)),
        ("x2", Self.number(end.0)), ("y2", Self.number(end.1)),
      ])
  }

  /// Returns a positive number, rounded to one decimal.
  static func number(_ value: Double) -> String {
    let tenths = Int((10 * value).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// Returns a text with the characters escaped that have a meaning in XML, and without those it forbids.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&apos;"
      case "\t", "\n", "\r": escaped += " "
      case "\0"..<" ", "\u{FFFE}", "\u{FFFF}": continue
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
