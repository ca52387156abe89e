/// Text as a literal of Swift.
enum SwiftLiteral {
  /// Returns a literal on one line, in which control and format characters are escaped.
  static func text(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      default: literal += escaped(scalar)
      }
    }
    return literal + "\""
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    // Combining characters would join the quotation mark before them.
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .nonspacingMark,
      .enclosingMark, .spacingMark:
      "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    default: String(scalar)
    }
  }
}
