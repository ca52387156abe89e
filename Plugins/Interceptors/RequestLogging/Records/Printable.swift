/// Text made fit for a line of a log: one line, no control characters, of bounded length.
enum Printable {
  /// The most scalars that are kept of a text.
  static let limit = 1024

  /// Returns a text with its control, format and line-separating characters written as `\u{…}`.
  static func text(_ text: String, upTo limit: Int = limit) -> String {
    if text.utf8.count <= limit, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
    var printed = ""
    for scalar in text.unicodeScalars.prefix(limit) {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
        printed += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: printed.unicodeScalars.append(scalar)
      }
    }
    let left = text.unicodeScalars.dropFirst(limit).count
    return left == 0 ? printed : "\(printed)… (+\(left))"
  }

  /// Returns a duration in milliseconds, with three decimals.
  static func milliseconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = max(.zero, duration).components
    let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    let rest = String(microseconds % 1000)
    return "\(microseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }
}
