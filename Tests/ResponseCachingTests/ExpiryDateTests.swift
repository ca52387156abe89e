import HTTPTypes
import Interception
import Testing

@testable import ResponseCaching

@Suite struct ExpiryDateTests {
  /// Thu, 18 Aug 2050 02:01:18 GMT.
  private let moment = WallTime(secondsSince1970: 2_544_400_878)
  private let now = WallTime(secondsSince1970: 1_767_225_600)

  @Test(
    "The three date formats are parsed, ignoring case",
    arguments: [
      "Thu, 18 Aug 2050 02:01:18 GMT", "THU, 18 AUG 2050 02:01:18 gMT", "thu, 18 aug 2050 02:01:18 gmt",
      "Thursday, 18-Aug-50 02:01:18 GMT", "thursday, 18-AUG-50 02:01:18 gmt", "Thu Aug 18 02:01:18 2050",
      "THU AUG 18 02:01:18 2050",
    ])
  func read(_ text: String) {
    #expect(ExpiryDate.parse(text, now: now) == moment)
  }

  @Test("A one-digit day is valid only in the format that has a space for it")
  func asctimeDay() {
    let day = ExpiryDate.parse("Mon Aug  8 02:01:18 2050", now: now)
    #expect(day == moment.advanced(by: .seconds(-10 * 86_400)))
    #expect(ExpiryDate.parse("Mon Aug 8 02:01:18 2050", now: now) == nil)
    #expect(ExpiryDate.parse("Mon, 8 Aug 2050 02:01:18 GMT", now: now) == nil)
  }

  @Test(
    "Any other format is refused",
    arguments: [
      "", "0", "-1", "Thu, 18 Aug 50 02:01:18 GMT", "Thu 18 Aug 2050 02:01:18 GMT",
      "Thu, 18  Aug  2050 02:01:18 GMT", "Thu, 18-Aug-2050 02:01:18 GMT", "Thu, 18 Aug 2050 02.01.18 GMT",
      "Thu, 18 Aug 2050 2:01:18 GMT", "Thu, 18 Aug 2050 02:01:18 UTC", "Thu, 18 Aug 2050 02:01:18 AEST",
      "Thu, 18 Aug 2050 02:01:18", "Thu, 18 Aug 2050 02:01:18 GMT ", "Thu, 18 Aug 2050 02:01:18 GMTs",
      "Thu, 18 Aug 2050 02:01:18 GMT, Thu, 18 Aug 2050 02:01:19 GMT", "Xyz, 18 Aug 2050 02:01:18 GMT",
      "Thu, 18 Xyz 2050 02:01:18 GMT", "Thu, 31 Feb 2050 02:01:18 GMT", "Thu, 18 Aug 2050 25:01:18 GMT",
      "Thurs, 18-Aug-50 02:01:18 GMT", "Thu, 18-Aug-50 02:01:18 GMT", "Thursday, 18 Aug 2050 02:01:18 GMT",
      "Thursday", "Thu, ", "Thu, 18 Aug 2050 02:01:1é GMT", "2050-08-18T02:01:18Z",
      String(repeating: "Thu, 18 Aug 2050 02:01:18 GMT", count: 1_000),
    ])
  func refused(_ text: String) {
    #expect(ExpiryDate.parse(text, now: now) == nil)
  }

  @Test("A malformed Expires makes a response stale at once, while Date is parsed leniently")
  func expires() {
    let start = CacheInstant(wall: CacheFixture.start, steady: .zero)
    func lifetime(_ expires: String, date: String? = nil) -> Duration {
      var head = HTTPResponse(status: .ok, headerFields: [.expires: expires])
      if let date { head.headerFields[.date] = date }
      return Freshness(of: head, requested: start, received: start, rule: .timed(.seconds(100))).lifetime
    }
    #expect(lifetime("Sun, 06 Nov 1994 08:50:17 GMT") == .seconds(40))
    #expect(lifetime("Sun, 6 Nov 1994 08:50:17 GMT") == .zero)
    #expect(lifetime("Sun, 06-Nov-1994 08:50:17 GMT") == .zero)
    #expect(
      lifetime("Sun, 06 Nov 1994 08:50:17 GMT", date: "Sun, 6 Nov 1994 08:49:27 GMT") == .seconds(40))
  }
}
