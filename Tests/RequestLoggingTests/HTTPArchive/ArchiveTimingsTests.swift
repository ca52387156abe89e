import Interception
import Testing

@testable import RequestLogging

@Suite struct ArchiveTimingsTests {
  @Test("A reused connection has no phases before the first byte")
  func reused() {
    let timings = ArchiveTimings(
      .init(firstByte: .milliseconds(5), lastByte: .milliseconds(1)), whole: .seconds(9))
    #expect(timings.connect == nil)
    #expect(timings.total == .milliseconds(6))
  }

  @Test("Without phases the whole duration is the wait")
  func unknown() {
    #expect(ArchiveTimings(nil, whole: .seconds(2)).wait == .seconds(2))
    #expect(ArchiveTimings(nil, whole: .seconds(2)).total == .seconds(2))
  }

  @Test(
    "Dates are written in UTC with milliseconds",
    arguments: [
      (0, "1970-01-01T00:00:00.250Z"), (1_709_210_096, "2024-02-29T12:34:56.250Z"),
      (-1, "1969-12-31T23:59:59.250Z"),
    ])
  func dates(seconds: Int64, text: String) {
    #expect(ArchiveDate.format(WallTime(secondsSince1970: seconds, nanoseconds: 250_999_999)) == text)
  }
}
