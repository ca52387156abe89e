/// A point in time, with the offset from UTC in which it was written.
package struct Moment: Sendable, Hashable, Comparable {
  /// The seconds since 1970 in UTC.
  let seconds: Int
  let nanoseconds: Int
  /// The offset from UTC in seconds.
  let offset: Int

  /// Creates a moment in UTC.
  package init(seconds: Int, nanoseconds: Int = 0, offset: Int = 0) {
    (self.seconds, self.nanoseconds, self.offset) = (seconds, nanoseconds, offset)
  }

  package static func < (left: Moment, right: Moment) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }

  package static func == (left: Moment, right: Moment) -> Bool {
    (left.seconds, left.nanoseconds) == (right.seconds, right.nanoseconds)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(seconds)
    hasher.combine(nanoseconds)
  }

  /// The moment by RFC 3339, in UTC.
  package var isoText: String {
    let fields = CalendarFields(Moment(seconds: seconds, nanoseconds: nanoseconds))
    let fraction = nanoseconds == 0 ? "" : "." + CalendarFields.digits(nanoseconds / 1_000, 6)
    return fields.text(format: "%Y-%m-%dT%H:%M:%S").map { "\($0)\(fraction)Z" } ?? ""
  }
}

/// The fields of a date in the proleptic Gregorian calendar, as `strftime` knows them.
struct CalendarFields {
  static let days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
  static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
  ]

  var year = 1970
  var month = 1
  var day = 1
  var hour = 0
  var minute = 0
  var second = 0
  var nanoseconds = 0
  var offset = 0
  var isAfternoon: Bool?
  /// The seconds since 1970, if the text states them.
  var stamp: Int?

  init() {}

  init(_ moment: Moment) {
    let local = moment.seconds + moment.offset
    let dayNumber = Int((Double(local) / 86_400).rounded(.down))
    let rest = local - dayNumber * 86_400
    (year, month, day) = Self.date(ofDay: dayNumber)
    (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60)
    (nanoseconds, offset) = (moment.nanoseconds, moment.offset)
  }

  /// The moment; nil if a field is out of its range.
  var moment: Moment? {
    if let stamp { return Moment(seconds: stamp, nanoseconds: nanoseconds, offset: offset) }
    guard (1...12).contains(month), day >= 1, day <= Self.length(ofMonth: month, in: year) else { return nil }
    var hour = hour
    if let isAfternoon {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (isAfternoon ? 12 : 0)
    }
    // A leap second counts as the next one.
    guard hour < 24, minute < 60, second <= 60 else { return nil }
    let days = Self.day(year: year, month: month, day: day)
    return Moment(
      seconds: days * 86_400 + hour * 3_600 + minute * 60 + second - offset, nanoseconds: nanoseconds,
      offset: offset)
  }

  static func length(ofMonth month: Int, in year: Int) -> Int {
    let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

  /// Returns the number of a day, counted from 1970-01-01; years begin in March.
  static func day(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func date(ofDay number: Int) -> (Int, Int, Int) {
    let shifted = number + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
  }

  static func digits(_ number: Int, _ width: Int) -> String {
    let text = String(abs(number))
    return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - text.count)) + text
  }

  // MARK: Formats

  /// Returns the fields in a format of `strftime`; nil for a specification that is not known.
  func text(format: String) -> String? {
    var text = ""
    var rest = format.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "%" else {
        text.unicodeScalars.append(scalar)
        continue
      }
      guard let specification = Self.specification(&rest), let field = field(specification) else {
        return nil
      }
      text += field
    }
    return text
  }

  private static func specification(_ rest: inout Substring.UnicodeScalarView) -> String? {
    guard let letter = rest.popFirst() else { return nil }
    guard ".-:369".unicodeScalars.contains(letter) else { return String(letter) }
    guard let second = rest.popFirst() else { return nil }
    guard letter == ".", "369".unicodeScalars.contains(second) else { return "\(letter)\(second)" }
    return rest.popFirst().map { "\(letter)\(second)\($0)" }
  }

  private func field(_ specification: String) -> String? {
    let number = Self.day(year: year, month: month, day: day)
    let weekday = ((number + 4) % 7 + 7) % 7
    let hour12 = (hour + 11) % 12 + 1
    switch specification {
    case "Y": return Self.digits(year, 4)
    case "m": return Self.digits(month, 2)
    case "d": return Self.digits(day, 2)
    case "e": return (day < 10 ? " " : "") + "\(day)"
    case "-d": return "\(day)"
    case "-m": return "\(month)"
    case "j": return Self.digits(number - Self.day(year: year, month: 1, day: 1) + 1, 3)
    case "H": return Self.digits(hour, 2)
    case "I": return Self.digits(hour12, 2)
    case "M": return Self.digits(minute, 2)
    case "S": return Self.digits(second, 2)
    case "p": return hour < 12 ? "AM" : "PM"
    case "y": return Self.digits(year % 100, 2)
    case "f": return Self.digits(nanoseconds, 9)
    case ".f", ".9f":
      return nanoseconds == 0 && specification == ".f" ? "" : "." + Self.digits(nanoseconds, 9)
    case ".3f": return "." + Self.digits(nanoseconds / 1_000_000, 3)
    case ".6f": return "." + Self.digits(nanoseconds / 1_000, 6)
    case "A": return Self.days[weekday]
    case "a": return String(Self.days[weekday].prefix(3))
    case "B": return Self.months[month - 1]
    case "b", "h": return String(Self.months[month - 1].prefix(3))
    case "u": return "\(weekday == 0 ? 7 : weekday)"
    case "w": return "\(weekday)"
    case "F": return text(format: "%Y-%m-%d")
    case "D": return text(format: "%m/%d/%y")
    case "T": return text(format: "%H:%M:%S")
    case "R": return text(format: "%H:%M")
    case "z", ":z":
      let (hours, minutes) = (abs(offset) / 3_600, abs(offset) / 60 % 60)
      let separator = specification == "z" ? "" : ":"
      return (offset < 0 ? "-" : "+") + Self.digits(hours, 2) + separator + Self.digits(minutes, 2)
    case "Z": return offset == 0 ? "UTC" : field(":z")
    case "s": return moment.map { "\($0.seconds)" }
    case "+": return text(format: "%Y-%m-%dT%H:%M:%S%.f%:z")
    case "%": return "%"
    default: return nil
    }
  }

  // MARK: Parsing

  /// Why a text is no date in a format.
  enum Fault: Error {
    /// The format has a specification that is not known.
    case format(String)
    case text
  }

  /// Reads a date in a format of `strftime`; `%+` is RFC 3339.
  static func moment(_ text: String, format: String) throws(Fault) -> Moment {
    var fields = CalendarFields()
    var rest = text.unicodeScalars[...]
    try fields.read(&rest, format: format)
    guard rest.isEmpty, let moment = fields.moment else { throw .text }
    return moment
  }

  private mutating func read(_ rest: inout Substring.UnicodeScalarView, format: String) throws(Fault) {
    var pattern = format.unicodeScalars[...]
    while let scalar = pattern.popFirst() {
      guard scalar == "%" else {
        guard rest.popFirst() == scalar else { throw .text }
        continue
      }
      guard let specification = Self.specification(&pattern) else { throw .format("%") }
      try read(&rest, specification: specification)
    }
  }

  private mutating func read(
    _ rest: inout Substring.UnicodeScalarView, specification: String
  ) throws(Fault) {
    switch specification {
    case "Y": year = try Self.number(&rest, 1...4)
    case "m", "-m": month = try Self.number(&rest, 1...2)
    case "d", "-d", "e":
      if rest.first == " " { rest.removeFirst() }
      day = try Self.number(&rest, 1...2)
    case "H": hour = try Self.number(&rest, 1...2)
    case "I":
      hour = try Self.number(&rest, 1...2)
      isAfternoon = isAfternoon ?? false
    case "M": minute = try Self.number(&rest, 1...2)
    case "S": second = try Self.number(&rest, 1...2)
    case "y":
      let short = try Self.number(&rest, 2...2)
      year = short + (short < 70 ? 2_000 : 1_900)
    case "p":
      let half = String(String.UnicodeScalarView(rest.prefix(2))).uppercased()
      guard half == "AM" || half == "PM" else { throw .text }
      isAfternoon = half == "PM"
      rest = rest.dropFirst(2)
    case "f": try readFraction(&rest)
    case ".f", ".3f", ".6f", ".9f":
      guard rest.first == "." else { return }
      rest.removeFirst()
      try readFraction(&rest)
    case "A", "a": _ = try Self.name(&rest, Self.days)
    case "B", "b", "h": month = try Self.name(&rest, Self.months) + 1
    case "F": try read(&rest, format: "%Y-%m-%d")
    case "D": try read(&rest, format: "%m/%d/%y")
    case "T": try read(&rest, format: "%H:%M:%S")
    case "R": try read(&rest, format: "%H:%M")
    case "z", ":z": try readOffset(&rest)
    case "Z": rest = rest.drop { $0.properties.isAlphabetic }
    case "s": stamp = try Self.number(&rest, 1...12)
    case "+":
      try read(&rest, format: "%Y-%m-%d")
      guard let separator = rest.popFirst(), "Tt ".unicodeScalars.contains(separator) else { throw .text }
      try read(&rest, format: "%H:%M:%S%.f%:z")
    case "%": guard rest.popFirst() == "%" else { throw .text }
    default: throw .format("%" + specification)
    }
  }

  private mutating func readFraction(_ rest: inout Substring.UnicodeScalarView) throws(Fault) {
    let digits = rest.prefix { ("0"..."9").contains($0) }
    guard (1...9).contains(digits.count), let number = Int(String(digits)) else { throw .text }
    nanoseconds = (digits.count..<9).reduce(number) { number, _ in number * 10 }
    rest = rest.dropFirst(digits.count)
  }

  private mutating func readOffset(_ rest: inout Substring.UnicodeScalarView) throws(Fault) {
    guard let sign = rest.popFirst() else { throw .text }
    guard sign != "Z", sign != "z" else { return offset = 0 }
    guard sign == "+" || sign == "-" else { throw .text }
    let hours = try Self.number(&rest, 2...2)
    if rest.first == ":" { rest.removeFirst() }
    let minutes = try Self.number(&rest, 2...2)
    guard hours < 24, minutes < 60 else { throw .text }
    offset = (sign == "-" ? -1 : 1) * (hours * 3_600 + minutes * 60)
  }

  private static func number(
    _ rest: inout Substring.UnicodeScalarView, _ width: ClosedRange<Int>
  ) throws(Fault) -> Int {
    let digits = rest.prefix(width.upperBound).prefix { ("0"..."9").contains($0) }
    guard width.contains(digits.count), let number = Int(String(digits)) else { throw .text }
    rest = rest.dropFirst(digits.count)
    return number
  }

  /// Reads a name, or its first three letters; returns its index.
  private static func name(
    _ rest: inout Substring.UnicodeScalarView, _ names: [String]
  ) throws(Fault) -> Int {
    let word = String(rest.prefix { $0.properties.isAlphabetic }).lowercased()
    let index = names.firstIndex { $0.lowercased() == word || $0.lowercased().prefix(3) == word }
    guard let index else { throw .text }
    rest = rest.dropFirst(word.unicodeScalars.count)
    return index
  }
}
