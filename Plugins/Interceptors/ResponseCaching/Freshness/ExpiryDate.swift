import Interception

/// Parses the date of an `Expires` field strictly by the three formats of RFC 9110, section 5.6.7, ignoring
/// case.
///
/// RFC 9111, section 5.3, treats anything else as a time in the past, so leniency would be wrong; section 4.2
/// there makes the case insignificant.
enum ExpiryDate {
  private typealias Bytes = ArraySlice<UInt8>

  // In a format, d is a digit, s a digit or a space, l a letter; other characters are literal.
  private static let fixed: StaticString = "lll, dd lll dddd dd:dd:dd gmt"
  private static let afterWeekday: StaticString = ", dd-lll-dd dd:dd:dd gmt"
  private static let asctime: StaticString = "lll lll sd dd:dd:dd dddd"
  private static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]
  /// Longer than any valid date.
  private static let limit = 40

  /// Returns the time, or nil if the text has none of the three formats.
  static func parse(_ text: String, now: WallTime) -> WallTime? {
    guard text.utf8.count <= limit else { return nil }
    let bytes = text.utf8.map(lowercased)
    let weekday = bytes.prefix { isLetter($0) }
    let name = String(decoding: weekday, as: UTF8.self)
    let isForm =
      weekday.count == 3
      ? weekdays.contains { $0.hasPrefix(name) }
        && (matches(bytes[...], fixed) || matches(bytes[...], asctime))
      : weekdays.contains(name) && matches(bytes[weekday.endIndex...], afterWeekday)
    return isForm ? HTTPDate.parse(spelled(bytes), now: now) : nil
  }

  private static func matches(_ bytes: Bytes, _ form: StaticString) -> Bool {
    guard bytes.count == form.utf8CodeUnitCount else { return false }
    return form.withUTF8Buffer { form in
      zip(bytes, form).allSatisfy { byte, kind in
        switch kind {
        case UInt8(ascii: "d"): isDigit(byte)
        case UInt8(ascii: "s"): isDigit(byte) || byte == UInt8(ascii: " ")
        case UInt8(ascii: "l"): isLetter(byte)
        default: byte == kind
        }
      }
    }
  }

  /// The text with the usual capitals: the first letter of names, and the whole zone.
  private static func spelled(_ bytes: [UInt8]) -> String {
    var former = UInt8(ascii: " ")
    var spelled: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      let isCapital = !isLetter(former) || (isZone(bytes) && index >= bytes.count - 3)
      spelled.append(isLetter(byte) && isCapital ? byte - 0x20 : byte)
      former = byte
    }
    return String(decoding: spelled, as: UTF8.self)
  }

  private static func isZone(_ bytes: [UInt8]) -> Bool { bytes.last.map(isLetter) ?? false }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

  private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
