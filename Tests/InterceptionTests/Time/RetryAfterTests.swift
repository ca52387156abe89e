import Interception
import Testing

@Suite struct RetryAfterTests {
  private static let now = WallTime(secondsSince1970: 1_700_000_000)
  // Tue, 14 Nov 2023 22:13:20 GMT.
  private static let sent = HTTPDate.format(now)

  @Test(
    "Seconds are read as they are",
    arguments: [
      ("0", Duration.zero), ("7", .seconds(7)), (" 120\t", .seconds(120)), ("0060", .seconds(60)),
      ("00000000000120", .seconds(120)), ("000000000000", .zero),
      ("1000000000", .seconds(1_000_000_000)), ("99999999999999999999", .seconds(9_999_999_999)),
    ])
  func seconds(value: String, expected: Duration) {
    #expect(RetryAfter.wait(value, date: nil, now: Self.now) == expected)
  }

  @Test(
    "What is neither seconds nor a date is ignored",
    arguments: [
      nil, "", " ", "-1", "+5", "1e9", "1.5", "5s", "1, 2", "soon", "٣", "Tue, 14 Nov 2023", "\u{0}",
      String(repeating: "Tue, ", count: 10_000),
    ])
  func invalid(value: String?) {
    #expect(RetryAfter.wait(value, date: Self.sent, now: Self.now) == nil)
  }

  @Test(
    "A date is a wait from the response's date, or from now without one",
    arguments: [
      ("Tue, 14 Nov 2023 22:13:50 GMT", Duration.seconds(30)), ("Tue, 14 Nov 2023 22:13:20 GMT", .zero),
      ("Tuesday, 14-Nov-23 22:13:50 GMT", .seconds(30)), ("Tue Nov 14 22:13:50 2023", .seconds(30)),
      ("Thu, 01 Jan 1970 00:00:00 GMT", .zero), ("Tue, 14 Nov 2023 21:13:50 GMT", .zero),
    ])
  func dates(value: String, expected: Duration) {
    #expect(RetryAfter.wait(value, date: nil, now: Self.now) == expected)
    let wrongClock = Self.now.advanced(by: .seconds(-86_400))
    #expect(RetryAfter.wait(value, date: Self.sent, now: wrongClock) == expected)
    #expect(RetryAfter.wait(value, date: "not a date", now: Self.now) == expected)
  }

  @Test("A date far in the future is a wait of thousands of years, without overflow")
  func farFuture() throws {
    let wait = try #require(
      RetryAfter.wait("Fri, 31 Dec 9999 23:59:59 GMT", date: "Thu, 01 Jan 1970 00:00:00 GMT", now: Self.now))
    #expect(wait > .seconds(250_000_000_000))
  }
}
