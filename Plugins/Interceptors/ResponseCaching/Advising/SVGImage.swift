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
  static func number(_ value: Double) -> String { CacheAdvice.decimal(value) }

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
