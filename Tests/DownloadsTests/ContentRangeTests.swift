import Testing

@testable import Interception

@Suite("A content range")
struct ContentRangeTests {
  @Test("The forms of RFC 9110 are parsed")
  func legal() {
    #expect(ContentRange("bytes 0-499/1234") == .part(first: 0, last: 499, total: 1234))
    #expect(ContentRange("Bytes 42-1233/*") == .part(first: 42, last: 1233, total: nil))
    #expect(ContentRange("bytes */47022") == .unsatisfied(total: 47022))
  }

  @Test(
    "A value that violates the grammar or contradicts itself is refused",
    arguments: [
      "", "bytes", "bytes ", "bytes 0-1", "bytes 0-/2", "bytes -1/2", "bytes 2-1/5", "bytes 0-5/5",
      "bytes */*",
      "bytes=0-1/2", "bytes 0-1/2/3", "bytes 0-1-2/5", "items 0-1/2", "bytes  0-1/2", "bytes +0-1/2",
      "bytes 0-1/99999999999999999999", "bytes 0-١/5",
    ])
  func illegal(text: String) {
    #expect(ContentRange(text) == nil)
  }
}
