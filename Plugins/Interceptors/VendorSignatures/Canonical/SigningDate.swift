import Interception

/// A time in the forms that signatures use, in UTC and without fractions of a second.
struct SigningDate: Sendable, Hashable {
  /// Date and time in ISO 8601's extended format, such as `2015-08-30T12:36:00Z`.
  let extended: String

  /// Creates the form of a time in the years 0 to 9999.
  init(_ time: WallTime) {
    let date = CivilDate(secondsSince1970: time.seconds)
    extended = String(unsafeUninitializedCapacity: 20) { text in
      Self.write(date.year, count: 4, to: text, at: 0, then: UInt8(ascii: "-"))
      Self.write(date.month, count: 2, to: text, at: 5, then: UInt8(ascii: "-"))
      Self.write(date.day, count: 2, to: text, at: 8, then: UInt8(ascii: "T"))
      Self.write(date.hour, count: 2, to: text, at: 11, then: UInt8(ascii: ":"))
      Self.write(date.minute, count: 2, to: text, at: 14, then: UInt8(ascii: ":"))
      Self.write(date.second, count: 2, to: text, at: 17, then: UInt8(ascii: "Z"))
      return 20
    }
  }

  /// Date and time in ISO 8601's basic format, such as `20150830T123600Z`.
  var basic: String { String(extended.filter { $0 != "-" && $0 != ":" }) }

  /// The date in ISO 8601's basic format, such as `20150830`.
  var day: String { String(basic.prefix(8)) }

  private static func write(
    _ value: Int64, count: Int, to text: UnsafeMutableBufferPointer<UInt8>, at start: Int, then mark: UInt8
  ) {
    var rest = max(value, 0)
    for index in (start..<(start + count)).reversed() {
      text[index] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    }
    text[start + count] = mark
  }
}
