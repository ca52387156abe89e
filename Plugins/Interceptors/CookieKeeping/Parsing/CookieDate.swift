import Interception

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
