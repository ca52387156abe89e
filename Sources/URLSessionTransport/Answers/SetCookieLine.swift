/// `Set-Cookie` fields that Foundation has joined by commas.
///
/// A comma is part of a date too, so a new cookie begins only where a token and `=` follow one; neither a
/// cookie's value nor a date holds that (RFC 6265, section 4.1.1).
enum SetCookieLine {
  /// Returns the fields one by one.
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
