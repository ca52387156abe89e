/// Collects lines of code, indented by two spaces for each level.
struct CodeWriter {
  private(set) var lines: [String] = []
  private var level = 0

  var text: String { lines.joined(separator: "\n") + "\n" }

  mutating func line(_ text: String = "") {
    lines.append(text.isEmpty ? "" : String(repeating: "  ", count: level) + text)
  }

  mutating func doc(_ lines: [String]) {
    for text in lines { line(text.isEmpty ? "///" : "/// " + text) }
  }

  /// Writes a block in braces.
  mutating func block(_ head: String, end: String = "}", _ body: (inout CodeWriter) -> Void) {
    line(head + " {")
    level += 1
    body(&self)
    level -= 1
    line(end)
  }

  /// Writes the arguments of a call or the parameters of a function, each on its own line if they are long.
  mutating func list(_ head: String, _ items: [String], end: String) {
    let short = head + "(" + items.joined(separator: ", ") + ")" + end
    guard short.count + 2 * level > 100, !items.isEmpty else { return line(short) }
    line(head + "(")
    level += 1
    for (index, item) in items.enumerated() { line(item + (index + 1 < items.count ? "," : "")) }
    level -= 1
    line(")" + end)
  }

  mutating func indented(_ body: (inout CodeWriter) -> Void) {
    level += 1
    body(&self)
    level -= 1
  }
}

/// Literals of Swift.
enum SwiftLiteral {
  /// Returns a text as a string literal.
  static func text(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _
      where scalar.value < 0x20 || (0x7F...0xA0).contains(scalar.value)
        || (0x2028...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value):
        result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
