package import HTTPTypes

/// Formats and parses the dates of HTTP (RFC 9110, section 5.6.7).
public enum HTTPDate {
  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Returns a time as an IMF-fixdate, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  public static func format(_ time: WallTime) -> String {
    let date = CivilDate(secondsSince1970: time.seconds)
    let year = String(date.year)
    return
      "\(weekdays[date.weekday]), \(padded(date.day)) \(months[Int(date.month) - 1]) "
      + String(repeating: "0", count: max(0, 4 - year.count)) + year
      + " \(padded(date.hour)):\(padded(date.minute)):\(padded(date.second)) GMT"
  }

  /// Parses an IMF-fixdate, an RFC 850 date or an asctime date; returns nil for anything else.
  ///
  /// - Parameter now: The reference for two-digit years: a year more than 50 years in the future is taken to
  ///   be in the past.
  package static func parse(_ text: String, now: WallTime = .now()) -> WallTime? {
    var text = text
    let date = text.withUTF8 { civil($0[...], now: now) }
    return date.map { WallTime(secondsSince1970: $0.secondsSince1970) }
  }

  // Nearly every response has a date, and slices of its bytes need no memory of their own.
  private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

  private static func civil(_ text: Bytes, now: WallTime) -> CivilDate? {
    var rest = text
    let isAsctime = !text.contains(UInt8(ascii: ","))
    guard nextPart(of: &rest) != nil, let second = nextPart(of: &rest), let third = nextPart(of: &rest),
      let fourth = nextPart(of: &rest), let fifth = nextPart(of: &rest)
    else { return nil }
    let zone = nextPart(of: &rest)
    guard nextPart(of: &rest) == nil else { return nil }
    if isAsctime {
      guard zone == nil else { return nil }
      return civil(day: third, month: second, year: fifth, time: fourth, now: now)
    }
    guard let zone, zone.elementsEqual("GMT".utf8) else { return nil }
    return civil(day: second, month: third, year: fourth, time: fifth, now: now)
  }

  /// Removes the first part, which a space, a comma or a hyphen ends, and returns it; nil if there is none.
  private static func nextPart(of rest: inout Bytes) -> Bytes? {
    rest = rest.drop(while: isSeparator)
    let part = rest.prefix { !isSeparator($0) }
    rest = rest[part.endIndex...]
    return part.isEmpty ? nil : part
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "-")
  }

  private static func civil(
    day: Bytes, month: Bytes, year: Bytes, time: Bytes, now: WallTime
  ) -> CivilDate? {
    guard let monthIndex = months.firstIndex(of: String(decoding: month, as: UTF8.self)),
      let day = number(day, digits: 1...2), var fullYear = number(year, digits: 2...4),
      let (hour, minute, second) = clock(time)
    else { return nil }
    switch year.count {
    case 2:
      let thisYear = CivilDate(secondsSince1970: now.seconds).year
      fullYear += thisYear / 100 * 100
      if fullYear > thisYear + 50 { fullYear -= 100 }
    case 4: break
    default: return nil
    }
    return CivilDate(
      year: fullYear, month: Int64(monthIndex) + 1, day: day, hour: hour, minute: minute, second: second)
  }

  /// Parses `hh:mm:ss`.
  private static func clock(_ text: Bytes) -> (hour: Int64, minute: Int64, second: Int64)? {
    guard text.count == 8 else { return nil }
    let (start, colon) = (text.startIndex, UInt8(ascii: ":"))
    guard text[start + 2] == colon, text[start + 5] == colon,
      let hour = number(text[start..<start + 2], digits: 2...2),
      let minute = number(text[start + 3..<start + 5], digits: 2...2),
      let second = number(text[start + 6..<start + 8], digits: 2...2)
    else { return nil }
    return (hour, minute, second)
  }

  private static func number(_ text: Bytes, digits: ClosedRange<Int>) -> Int64? {
    guard digits.contains(text.count), text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return text.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }

  private static func padded(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
}

/// Reads the `Retry-After` field (RFC 9110, section 10.2.3).
package enum RetryAfter {
  /// Returns the wait that the fields of a response ask for; nil without a valid value, and if there are
  /// different ones.
  package static func wait(in fields: HTTPFields, now: WallTime) -> Duration? {
    wait(fields.singleValue(.retryAfter), date: fields.singleValue(.date), now: now)
  }

  /// Returns the wait that a server asks for; nil without a valid value.
  ///
  /// A date is compared with the response's own `Date` field, so that a wrong clock of this device does not
  /// matter, and with the device's clock only if there is none. A date in the past means no wait.
  ///
  /// - Parameters:
  ///   - value: The value of the field.
  ///   - date: The value of the response's `Date` field.
  ///   - now: The device's time.
  package static func wait(_ value: String?, date: String?, now: WallTime) -> Duration? {
    guard let text = value?[...].trimmingWhitespace(), !text.isEmpty else { return nil }
    if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      // No caller waits for more than 300 years, and the sum with another wait must not overflow.
      let digits = text.utf8.drop { $0 == 0x30 }
      return .seconds(digits.count > 10 ? 9_999_999_999 : Int64(Substring(digits)) ?? 0)
    }
    // A date has at most 33 characters.
    guard text.utf8.count <= 40, let end = HTTPDate.parse(String(text), now: now) else { return nil }
    let sent = date.flatMap { $0.utf8.count <= 40 ? HTTPDate.parse($0, now: now) : nil }
    return max(.zero, (sent ?? now).duration(to: end))
  }
}
