/// The directives of a `Cache-Control` field that a private cache acts on, RFC 9111, section 5.2.
///
/// Commas and equals signs inside quoted strings don't separate. `no-cache` and `private` with a list of fields count as if the
/// list were missing for the former, and not at all for the latter: this cache is private.
struct CacheControl: Sendable, Hashable {
  /// Nothing may be stored.
  private(set) var noStore = false
  /// What is stored may be used only after the server has confirmed it.
  private(set) var noCache = false
  /// The lifetime; the shortest one where there are several, zero where it is malformed, 2^31 s where it is longer.
  private(set) var maxAge: Duration?

  init(_ value: String?) {
    guard let value else { return }
    for directive in Self.directives(of: value) {
      let halves = directive.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      switch (halves.first ?? "").trimmingWhitespace().lowercased() {
      case "no-store": noStore = true
      case "no-cache": noCache = true
      case "max-age":
        let age = Self.seconds(halves.count == 2 ? halves[1] : "") ?? .zero
        maxAge = min(maxAge ?? age, age)
      default: break
      }
    }
  }

  /// Reads a number of seconds, RFC 9111, section 1.2.2; nil for anything but digits.
  static func seconds(_ text: Substring) -> Duration? {
    var digits = text.trimmingWhitespace()
    if digits.count >= 2, digits.first == "\"", digits.last == "\"" { digits = digits.dropFirst().dropLast() }
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let limit: Int64 = 1 << 31
    return .seconds(min(Int64(digits) ?? limit, limit))
  }

  private static func directives(of value: String) -> [Substring] {
    var directives: [Substring] = []
    var start = value.startIndex
    var isQuoted = false
    var isEscaped = false
    for index in value.utf8.indices {
      let byte = value.utf8[index]
      if isEscaped {
        isEscaped = false
      } else if isQuoted, byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if byte == UInt8(ascii: ","), !isQuoted {
        directives.append(value[start..<index])
        start = value.utf8.index(after: index)
      }
    }
    directives.append(value[start...])
    return directives
  }
}
