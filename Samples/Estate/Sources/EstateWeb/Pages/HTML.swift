/// Markup; text enters it escaped or not at all.
struct HTML: Sendable, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
  /// Joins the literal parts of the program, which are markup, and values, which are text.
  struct StringInterpolation: StringInterpolationProtocol {
    var markup = ""

    init(literalCapacity: Int, interpolationCount: Int) { markup.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: String) { markup += literal }
    mutating func appendInterpolation(_ text: String) { markup += HTML.escaped(text) }
    mutating func appendInterpolation(_ number: Int) { markup += String(number) }
    mutating func appendInterpolation(_ html: HTML) { markup += html.description }
    mutating func appendInterpolation(_ parts: [HTML]) { for part in parts { markup += part.description } }
  }

  let description: String

  init(stringLiteral literal: String) { description = literal }

  init(stringInterpolation: StringInterpolation) { description = stringInterpolation.markup }

  /// The text with every character that could be markup, in content or in a quoted attribute, as a reference.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      // What HTML forbids as text would be dropped or misread by browsers.
      case "\u{0}"..."\u{8}", "\u{B}"..."\u{1F}", "\u{7F}"..."\u{9F}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
