/// The widths of texts in a drawing, estimated without a font.
///
/// They are those of DejaVu Sans and DejaVu Sans Mono, rounded up; the usual fonts of systems are narrower.
enum DrawnText {
  /// Returns the width of a text in a proportional font, as an upper bound.
  static func width(_ text: String, size: Int, bold: Bool = false) -> Int {
    let hundredths = text.reduce(into: 0) { $0 += advance(of: $1) }
    return (hundredths * size * (bold ? 11 : 10) + 999) / 1000
  }

  /// Returns the width of a text in a font of equally wide characters, as an upper bound.
  static func monospacedWidth(_ text: String, size: Int) -> Int {
    (cells(of: text) * size * 61 + 99) / 100
  }

  /// Returns the text, shortened with an ellipsis if it is wider.
  static func fitted(_ text: String, to width: Int, size: Int, bold: Bool = false) -> String {
    let clean = printable(text)
    if self.width(clean, size: size, bold: bold) <= width { return clean }
    var kept = ""
    for character in clean {
      if self.width("\(kept)\(character)…", size: size, bold: bold) > width { break }
      kept.append(character)
    }
    return kept + "…"
  }

  /// Returns a pattern in lines of at most some characters, broken before a delimiter of URLs where possible.
  static func lines(of pattern: String, cells limit: Int, maximum: Int) -> [String] {
    var rest = Substring(printable(pattern))
    var lines: [String] = []
    while !rest.isEmpty, lines.count < maximum {
      let whole = rest.prefix(fitting: limit)
      if whole.endIndex == rest.endIndex {
        lines.append(String(rest))
        rest = ""
      } else if lines.count == maximum - 1 {
        lines.append(rest.prefix(fitting: limit - 1) + "…")
        rest = ""
      } else {
        let middle = whole.index(whole.startIndex, offsetBy: whole.count / 2)
        let end = whole[middle...].lastIndex { "/?&|".contains($0) } ?? whole.endIndex
        lines.append(String(rest[..<end]))
        rest = rest[end...]
      }
    }
    return lines
  }

  /// Returns words in lines that are not wider than some pixels.
  static func paragraph(_ text: String, width: Int, size: Int) -> [String] {
    var lines: [String] = []
    for word in printable(text).split(separator: " ") {
      let longer = lines.last.map { "\($0) \(word)" }
      if let longer, self.width(longer, size: size) <= width {
        lines[lines.count - 1] = longer
      } else {
        lines.append(fitted(String(word), to: width, size: size))
      }
    }
    return lines
  }

  /// Returns the text with a replacement for each character that XML forbids or that reverses a line.
  static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          switch scalar.value {
          case 0x09, 0x0A, 0x0D, 0x2028, 0x2029: " "
          case ..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFFFE, 0xFFFF:
            "\u{FFFD}"
          default: scalar
          }
        }))
  }

  /// The cells of a text in a font of equally wide characters; a character beyond Latin may take two.
  static func cells(of text: some StringProtocol) -> Int { text.reduce(0) { $0 + cells(of: $1) } }

  fileprivate static func cells(of character: Character) -> Int {
    character.unicodeScalars.allSatisfy { $0.value < 0x250 || $0 == "…" } ? 1 : 2
  }

  private static func advance(of character: Character) -> Int {
    guard let byte = character.asciiValue else { return character == "…" || character == "→" ? 100 : 130 }
    switch byte {
    case UInt8(ascii: "i"), UInt8(ascii: "j"), UInt8(ascii: "l"), UInt8(ascii: "I"), UInt8(ascii: "J"),
      UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: " "), UInt8(ascii: "|"):
      return 35
    case UInt8(ascii: "f"), UInt8(ascii: "t"), UInt8(ascii: "r"), UInt8(ascii: "("), UInt8(ascii: ")"),
      UInt8(ascii: "/"), UInt8(ascii: "-"):
      return 43
    case UInt8(ascii: "m"), UInt8(ascii: "M"), UInt8(ascii: "W"), UInt8(ascii: "@"), UInt8(ascii: "%"),
      UInt8(ascii: "w"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "+"), UInt8(ascii: "="),
      UInt8(ascii: "~"), UInt8(ascii: "#"), UInt8(ascii: "^"):
      return 100
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "&"): return 79
    default: return 65
    }
  }
}

extension Substring {
  /// The longest prefix of at most some cells; at least one character.
  fileprivate func prefix(fitting limit: Int) -> Substring {
    var used = 0
    let end = indices.first { index in
      used += DrawnText.cells(of: self[index])
      return used > limit && index != startIndex
    }
    return self[..<(end ?? endIndex)]
  }
}
