/// Formats text for a log line: on one line, without control characters, of bounded length.
enum LogText {
  /// The maximum number of scalars that are kept.
  static let limit = 1024

  /// Returns the text with control, format and line-separating characters written as `\u{…}`.
  static func escaped(_ text: String, upTo limit: Int = limit) -> String {
    if text.utf8.count <= limit, isPrintableASCII(text) { return text }
    var printed = ""
    for scalar in text.unicodeScalars.prefix(limit) {
      guard !(0x20...0x7E).contains(scalar.value) else {
        printed.unicodeScalars.append(scalar)
        continue
      }
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
        printed += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: printed.unicodeScalars.append(scalar)
      }
    }
    let left = text.utf8.count <= limit ? 0 : text.unicodeScalars.dropFirst(limit).count
    return left == 0 ? printed : "\(printed)… (+\(left))"
  }

  private static func isPrintableASCII(_ text: String) -> Bool {
    // Uses contiguous bytes, because each access to a string's view looks up its storage.
    let isPrintable = text.utf8.withContiguousStorageIfAvailable { bytes in
      bytes.allSatisfy { (0x20...0x7E).contains($0) }
    }
    return isPrintable ?? text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }

  /// Returns a duration in milliseconds, with three decimals.
  static func milliseconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = max(.zero, duration).components
    let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    let rest = String(microseconds % 1000)
    return "\(microseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }
}
