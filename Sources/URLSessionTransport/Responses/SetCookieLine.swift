/// Splits `Set-Cookie` fields that Foundation has joined by commas.
///
/// A date contains a comma too, so a new cookie begins only if a token and `=` follow the comma; neither a
/// cookie's value nor a date contains that (RFC 6265, section 4.1.1).
enum SetCookieLine {
  /// Returns the individual fields.
  static func split(_ joined: String) -> [String] {
    var lines: [String] = []
    var start = joined.startIndex
    var index = joined.startIndex
    while let comma = joined[index...].firstIndex(of: ",") {
      index = joined.index(after: comma)
      let next = joined[index...].drop { $0 == " " }
      guard beginsCookie(next) else { continue }
      lines.append(String(joined[start..<comma]))
      start = next.startIndex
      index = start
    }
    lines.append(String(joined[start...]))
    return lines
  }

  private static func beginsCookie(_ text: Substring) -> Bool {
    guard let equals = text.firstIndex(of: "=") else { return false }
    let name = text[..<equals]
    return !name.isEmpty
      && name.utf8.allSatisfy { byte in
        (0x21...0x7E).contains(byte) && !"()<>@,;:\\\"/[]?={}".utf8.contains(byte)
      }
  }
}
