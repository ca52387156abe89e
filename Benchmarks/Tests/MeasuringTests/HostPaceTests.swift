import Measuring
import Testing

@Suite("The pace of a machine")
struct HostPaceTests {
  @Test(
    "A machine is too slow for a full run if the C program sends fewer than 30,000 requests per second",
    arguments: [(0, true), (7_580, true), (29_999.9, true), (30_000, false), (71_622, false)])
  func complaint(rate: Double, isTooSlow: Bool) {
    #expect((HostPace(requestsPerSecond: rate).complaint != nil) == isTooSlow)
  }

  @Test("The complaint has the rate and says what to do")
  func words() {
    let complaint = HostPace(requestsPerSecond: 7_580.2).complaint ?? ""
    #expect(complaint.contains("7580 requests per second"))
    #expect(complaint.contains("--quick or --only"))
  }
}
