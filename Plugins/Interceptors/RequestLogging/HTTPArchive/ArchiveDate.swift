import Interception

/// Formats the dates of a HAR document (ISO 8601).
enum ArchiveDate {
  /// Returns a time in UTC with milliseconds, such as `2026-11-06T08:49:37.250Z`.
  static func format(_ time: WallTime) -> String {
    let date = CivilDate(secondsSince1970: time.seconds)
    let day = "\(padded(date.year, to: 4))-\(padded(date.month, to: 2))-\(padded(date.day, to: 2))"
    let clock = "\(padded(date.hour, to: 2)):\(padded(date.minute, to: 2)):\(padded(date.second, to: 2))"
    return "\(day)T\(clock).\(padded(time.nanoseconds / 1_000_000, to: 3))Z"
  }

  private static func padded(_ value: Int64, to count: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
}
