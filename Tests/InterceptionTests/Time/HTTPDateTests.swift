import Foundation
import Interception
import Testing

@Suite("HTTP dates")
struct HTTPDateTests {
  private let moment = WallTime(secondsSince1970: 784_111_777)

  @Test(
    "The three forms of RFC 9110 are parsed",
    arguments: [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
  func forms(text: String) {
    #expect(HTTPDate.parse(text, now: WallTime(secondsSince1970: 1_700_000_000)) == moment)
  }

  @Test(
    "Spaces, commas and hyphens separate the parts, and the name of the day is not checked",
    arguments: [
      "Sun,06-Nov-1994 08:49:37 GMT", "  Sun, 06  Nov 1994 08:49:37 GMT ", "x, 6 Nov 94 08:49:37 GMT",
      "Sun 06 Nov 1994 08:49:37, GMT", "-Sun--Nov-06-08:49:37-1994",
    ])
  func separators(text: String) {
    #expect(HTTPDate.parse(text, now: WallTime(secondsSince1970: 1_700_000_000)) == moment)
  }

  @Test("Dates are written as IMF-fixdate")
  func format() {
    #expect(HTTPDate.format(moment) == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(HTTPDate.format(WallTime(secondsSince1970: 0)) == "Thu, 01 Jan 1970 00:00:00 GMT")
  }

  @Test("Dates agree with Foundation's calendar over four centuries")
  func agreement() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    for seconds in stride(from: Int64(-2_000_000_000), to: 10_000_000_000, by: 86_399 * 97) {
      let parts = calendar.dateComponents(
        [.year, .month, .day, .hour, .minute, .second],
        from: Date(timeIntervalSince1970: TimeInterval(seconds)))
      let text = HTTPDate.format(WallTime(secondsSince1970: seconds))
      #expect(text.contains(String(format: " %04d ", parts.year ?? 0)))
      #expect(text.contains(String(format: ", %02d ", parts.day ?? 0)))
      #expect(HTTPDate.parse(text)?.seconds == seconds)
    }
  }

  @Test("Every time can be written, also the first and the last one")
  func extremes() {
    #expect(HTTPDate.format(WallTime(secondsSince1970: .min)) == "Sun, 27 Jan -292277022657 08:29:52 GMT")
    #expect(HTTPDate.format(WallTime(secondsSince1970: .max)) == "Sun, 04 Dec 292277026596 15:30:07 GMT")
  }

  @Test(
    "Malformed dates are refused",
    arguments: [
      "", "0", "-1", "Sun, 06 Nov 1994", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
      "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 99999 08:49:37 GMT",
      "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, ０6 Nov 1994 08:49:37 GMT",
      "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 GMT GMT", "Sun, 06 Nov 1994 08:49:37 gmt",
      "Sun Nov  6 08:49:37 1994 GMT", "Sun Nov 6 08:49 1994", "Sun, 06 Nov 1994 08:49:37:00 GMT",
      "Sun, 06 Nov 1994 08.49.37 GMT", "Sun, 06 Nov 1994 8:049:37 GMT", "Sun, 06 Nov 194 08:49:37 GMT",
      "Sun, 006 Nov 1994 08:49:37 GMT", "Sun, 06 November 1994 08:49:37 GMT", ", ,,--",
    ])
  func refused(text: String) {
    #expect(HTTPDate.parse(text) == nil)
  }

  @Test("Two-digit years are at most 50 years in the future")
  func twoDigits() throws {
    let now = WallTime(secondsSince1970: 1_790_000_000)  // 2026
    let near = try #require(HTTPDate.parse("Friday, 01-Jan-76 00:00:00 GMT", now: now))
    let far = try #require(HTTPDate.parse("Friday, 01-Jan-77 00:00:00 GMT", now: now))
    #expect(HTTPDate.format(near).contains("2076"))
    #expect(HTTPDate.format(far).contains("1977"))
  }

  @Test("Adding and subtracting durations loses no nanoseconds")
  func arithmetic() {
    let start = WallTime(secondsSince1970: 10, nanoseconds: 900_000_000)
    let later = start.advanced(by: .milliseconds(200))
    #expect(later == WallTime(secondsSince1970: 11, nanoseconds: 100_000_000))
    #expect(start.duration(to: later) == .milliseconds(200))
    #expect(later.advanced(by: .milliseconds(-200)) == start)
    #expect(start < later)
  }
}
