import Interception

/// Formats text for a log line: on one line, without control characters, of bounded length.
enum LogText {
  /// The maximum number of scalars that are kept.
  static let limit = 1024

  /// Returns the text with control, format and line-separating characters written as `\u{…}`.
  static func escaped(_ text: String, upTo limit: Int = limit) -> String {
    if text.utf8.count <= limit, isPlain(text) { return text }
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

  /// Returns whether a text consists of printable ASCII and of the usual mark of a redaction.
  private static func isPlain(_ text: String) -> Bool {
    // Uses contiguous bytes, because each access to a string's view looks up its storage.
    text.utf8.withContiguousStorageIfAvailable { bytes in
      var index = 0
      while index < bytes.count {
        switch bytes[index] {
        case 0x20...0x7E: index += 1
        // U+2588 in UTF-8. A string is valid UTF-8, so the other two bytes follow.
        case 0xE2 where bytes[index + 1] == 0x96 && bytes[index + 2] == 0x88: index += 3
        default: return false
        }
      }
      return true
    } ?? false
  }

  /// Returns a duration in milliseconds, with three decimals.
  static func milliseconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = max(.zero, duration).components
    let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    var (rest, divisor) = (microseconds, Int64(1000))
    while divisor <= rest / 10 { divisor *= 10 }
    // The digits are written into one buffer, because concatenation would create several strings.
    return String(unsafeUninitializedCapacity: 24) { text in
      var count = 0
      func add(_ byte: UInt8) {
        text[count] = byte
        count += 1
      }
      while divisor > 0 {
        if divisor == 100 { add(UInt8(ascii: ".")) }
        add(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / divisor))
        rest %= divisor
        divisor /= 10
      }
      return count
    }
  }
}

/// A path and its query, without a fragment.
struct PathParts {
  let path: String
  let query: String?

  init(_ pathAndQuery: String) {
    var text = pathAndQuery
    // Uses contiguous bytes, because each access to a string's view looks up its storage.
    (path, query) = text.withUTF8 { bytes in
      let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
      guard let mark = bytes[..<end].firstIndex(of: UInt8(ascii: "?")) else {
        return (String(decoding: bytes[..<end], as: UTF8.self), nil)
      }
      return (
        String(decoding: bytes[..<mark], as: UTF8.self),
        String(decoding: bytes[(mark + 1)..<end], as: UTF8.self)
      )
    }
  }
}

/// Makes URLs legal for programs that parse them.
enum URLText {
  /// Percent-encodes spaces and control characters.
  static func legal(_ url: String) -> String {
    guard url.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else { return url }
    return PercentEncoding.encode(url.utf8) { $0 > 0x20 && $0 != 0x7F }
  }
}
