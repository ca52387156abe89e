/// Markup, into which text is inserted escaped.
struct HTML: Sendable, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
  /// Builds markup from literal parts, which are markup, and interpolated strings, which are text.
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

  /// Returns the text with all characters escaped that could be markup in content or in a quoted attribute.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      // Control characters, which HTML does not allow in text.
      case "\u{0}"..."\u{8}", "\u{B}"..."\u{1F}", "\u{7F}"..."\u{9F}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
