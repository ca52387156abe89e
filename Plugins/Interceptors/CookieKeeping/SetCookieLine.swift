import Interception

/// A parsed value of a `Set-Cookie` field (RFC 6265bis, section 5.6).
struct SetCookieLine: Sendable, Hashable {
  /// The name; empty if the value has no equals sign.
  let name: FieldText
  let value: FieldText
  /// The last `Domain`, in lower case and without a leading dot; empty if there is none.
  var domain = ""
  /// The last `Path`, if it is absolute.
  var path: String?
  var isSecure = false
  var isHTTPOnly = false
  var sameSite: Cookie.SameSite?
  /// The expiry by the last `Max-Age`, or else by the last `Expires`; nil for a session cookie.
  var expiry: Expiry?

  /// When a cookie expires.
  enum Expiry: Sendable, Hashable {
    /// After this many seconds; zero if it has expired.
    case after(Int64)
    /// At this time.
    case at(WallTime)
  }

  /// The maximum length of a name and a value together, in bytes.
  static let maximumSize = 4_096
  /// The maximum length of an attribute's value, in bytes.
  private static let maximumAttributeSize = 1_024

  /// Parses a value; nil if ``isValid(name:value:)`` is false for its first part, or if it contains a control
  /// character other than a tab.
  init?(_ line: FieldText) {
    let bytes = line.bytes
    guard bytes.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }) else { return nil }
    var parts = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)[...]
    let pair = parts.removeFirst()
    if let equals = pair.firstIndex(of: UInt8(ascii: "=")) {
      name = FieldText(pair[..<equals].trimmingWhitespace())
      value = FieldText(pair[(equals + 1)...].trimmingWhitespace())
    } else {
      name = ""
      value = FieldText(pair.trimmingWhitespace())
    }
    guard Self.isValid(name: name, value: value) else { return nil }
    var (age, date): (Expiry?, Expiry?)
    for part in parts {
      let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
      let attribute = Self.text(part[..<equals]).lowercased()
      let bytes = part[equals...].dropFirst().trimmingWhitespace()
      guard bytes.count <= Self.maximumAttributeSize else { continue }
      switch attribute {
      case "max-age": age = Self.age(bytes).map(Expiry.after) ?? age
      case "expires": date = CookieDate.parse(bytes).map(Expiry.at) ?? date
      case "domain":
        let domain = bytes.first == UInt8(ascii: ".") ? bytes.dropFirst() : bytes
        self.domain = String(decoding: domain, as: UTF8.self).lowercased()
      case "path": path = bytes.first == UInt8(ascii: "/") ? Self.text(bytes) : nil
      case "secure": isSecure = true
      case "httponly": isHTTPOnly = true
      case "samesite": sameSite = Cookie.SameSite(rawValue: Self.text(bytes).lowercased())
      default: break
      }
    }
    expiry = age ?? date
  }

  /// Whether a cookie can have a name and a value, which are part of a line or of a file.
  ///
  /// Both are trimmed and without control characters other than tabs, one of them is not empty, and together
  /// they have at most ``maximumSize`` bytes. A value without a name has no equals sign: servers would take
  /// what is before it in the `Cookie` field for the name of a cookie, whose protection by `Secure`, `Path`
  /// or the prefixes of names the line has never met.
  static func isValid(name: FieldText, value: FieldText) -> Bool {
    let equals = UInt8(ascii: "=")
    return isTrimmed(name.bytes.isEmpty ? value : name)
      && (1...maximumSize).contains(name.bytes.count + value.bytes.count)
      && !name.bytes.contains(equals) && (!name.bytes.isEmpty || !value.bytes.contains(equals))
      && [name.bytes, value.bytes].allSatisfy { bytes in
        bytes.allSatisfy { $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: ";") }
          && bytes[...].trimmingWhitespace().count == bytes.count
      }
  }

  /// Whether a name doesn't begin or end with white space of Unicode, which some servers trim, so that they
  /// would take the cookie for another one.
  private static func isTrimmed(_ name: FieldText) -> Bool {
    guard let first = name.bytes.first, let last = name.bytes.last, max(first, last) >= 0x80 else {
      return true
    }
    let scalars = name.description.unicodeScalars
    return ![scalars.first, scalars.last].contains { scalar in
      scalar.map { $0.properties.isWhitespace || $0 == "\u{FEFF}" } ?? false
    }
  }

  /// Parses a number of seconds; nil if the attribute is to be ignored.
  private static func age(_ bytes: ArraySlice<UInt8>) -> Int64? {
    let isNegative = bytes.first == UInt8(ascii: "-")
    let digits = isNegative ? bytes.dropFirst() : bytes
    guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    if isNegative { return 0 }
    // A number that is too large is as good as the largest one.
    return Int64(String(decoding: digits, as: UTF8.self)) ?? .max
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    FieldText.decoded(bytes.trimmingWhitespace())
  }
}

/// The dates of the attribute `Expires`, which are parsed leniently (RFC 6265, section 5.1.1).
enum CookieDate {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Returns the time of a date, or nil if it is not one.
  static func parse(_ text: some Sequence<UInt8>) -> WallTime? {
    var time: [Int64]?
    var (day, month, year): (Int64?, Int64?, Int64?)
    for token in Array(text).split(whereSeparator: isDelimiter) {
      if time == nil, let found = hours(token) {
        time = found
      } else if day == nil, let found = number(token, digits: 1...2) {
        day = found
      } else if month == nil, let found = monthNumber(token) {
        month = found
      } else if year == nil, let found = number(token, digits: 2...4) {
        year = found
      }
    }
    guard let time, let day, let month, var year else { return nil }
    if (70...99).contains(year) { year += 1_900 } else if (0...69).contains(year) { year += 2_000 }
    guard year >= 1_601, time[2] <= 59,
      let date = CivilDate(
        year: year, month: month, day: day, hour: time[0], minute: time[1], second: time[2])
    else { return nil }
    return WallTime(secondsSince1970: date.secondsSince1970)
  }

  private static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }

  /// Parses `1:2:3`, which anything but a digit may follow.
  private static func hours(_ token: ArraySlice<UInt8>) -> [Int64]? {
    let parts = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let hour = number(parts[0], digits: 1...2, isWhole: true),
      let minute = number(parts[1], digits: 1...2, isWhole: true),
      let second = number(parts[2], digits: 1...2)
    else { return nil }
    return [hour, minute, second]
  }

  /// Parses the digits at the start of a token; after them nothing may follow if `isWhole`, or else anything
  /// but a digit.
  private static func number(
    _ token: ArraySlice<UInt8>, digits: ClosedRange<Int>, isWhole: Bool = false
  ) -> Int64? {
    let leading = token.prefix { (0x30...0x39).contains($0) }
    guard digits.contains(leading.count), !isWhole || leading.count == token.count else { return nil }
    return leading.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }

  private static func monthNumber(_ token: ArraySlice<UInt8>) -> Int64? {
    guard token.count >= 3 else { return nil }
    let start = token.prefix(3).map { $0 | 0x20 }
    return months.firstIndex { $0.utf8.elementsEqual(start) }.map { Int64($0) + 1 }
  }
}
