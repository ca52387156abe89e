/// A date and time of day in UTC, in the Gregorian calendar.
package struct CivilDate: Sendable, Hashable {
  package var year: Int64
  package var month: Int64
  package var day: Int64
  package var hour: Int64
  package var minute: Int64
  package var second: Int64

  /// Creates the date of a number of seconds since 1970.
  package init(secondsSince1970 seconds: Int64) {
    let days = Self.floored(seconds, 86_400)
    let rest = seconds &- days &* 86_400
    // Days are counted from 1 March of year 0, so that a leap day is the last of a year; an era has 400
    // years.
    let shifted = days + 719_468
    let era = Self.floored(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60)
  }

  /// Creates a date from its components; returns nil if there is no such date or time.
  ///
  /// A leap second is treated as the second before it.
  package init?(year: Int64, month: Int64, day: Int64, hour: Int64, minute: Int64, second: Int64) {
    guard (0...9_999).contains(year), (1...12).contains(month), (0...23).contains(hour),
      (0...59).contains(minute), (0...60).contains(second),
      day >= 1, day <= Self.days(inMonth: month, of: year)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
    (self.hour, self.minute, self.second) = (hour, minute, min(second, 59))
  }

  /// The seconds since 1970.
  package var secondsSince1970: Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = Self.floored(shiftedYear, 400)
    let yearOfEra = shiftedYear - era * 400
    let monthFromMarch = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    // Wrapping, because the first midnight of all is less than the least number.
    return (era * 146_097 + dayOfEra - 719_468) &* 86_400 &+ (hour * 3_600 + minute * 60 + second)
  }

  /// The day of the week, 0 for Sunday.
  var weekday: Int {
    let days = Self.floored(secondsSince1970, 86_400)
    return Int(((days + 4) % 7 + 7) % 7)
  }

  private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func floored(_ value: Int64, _ divisor: Int64) -> Int64 {
    value / divisor - (value % divisor < 0 ? 1 : 0)
  }
}
