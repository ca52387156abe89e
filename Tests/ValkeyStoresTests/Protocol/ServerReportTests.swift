import RequestSigning
import Testing

@testable import ValkeyStores

@Suite struct ServerReportTests {
  private static func report(_ lines: String...) -> ServerReport? {
    ServerReport(lines.joined(separator: "\r\n"))
  }

  @Test("The run id and the eviction policy are read from the reply to INFO")
  func reading() {
    let report = Self.report(
      "# Server", "redis_version:7.0.15", "run_id:00ff", "", "# Memory", "maxmemory:1048576",
      "maxmemory_policy:allkeys-lru")
    #expect(report?.runID == "00ff")
    #expect(report?.evictionPolicy == "allkeys-lru")
  }

  @Test(
    "A server that doesn't evict keys, or whose memory is unlimited, is suitable",
    arguments: [("0", "allkeys-lru"), ("0", "noeviction"), ("1000", "noeviction")])
  func suitable(_ maximum: String, _ policy: String) {
    let report = Self.report("run_id:0a", "maxmemory:\(maximum)", "maxmemory_policy:\(policy)")
    #expect(report != nil)
    #expect(report?.evictionPolicy == nil)
  }

  @Test(
    "A reply without a plain run id is refused",
    arguments: [
      "", "run_id:", "run_id:0 1", "run_id:xyz", "run_id:\(String(repeating: "0", count: 65))", "a",
    ])
  func malformed(_ text: String) {
    #expect(ServerReport(text) == nil)
  }
}
