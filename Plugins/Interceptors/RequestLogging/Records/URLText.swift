/// Makes URLs legal for programs that parse them.
enum URLText {
  /// Percent-encodes spaces and control characters.
  static func legal(_ url: String) -> String {
    guard url.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else { return url }
    return url.unicodeScalars.reduce(into: "") { text, scalar in
      guard scalar.value <= 0x20 || scalar.value == 0x7F else {
        text.unicodeScalars.append(scalar)
        return
      }
      text += "%" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16, uppercase: true)
    }
  }
}
