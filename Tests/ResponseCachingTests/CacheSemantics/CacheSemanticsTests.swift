import Interception
import ResponseCaching
import Testing

/// The cache judged by http-cache-tests, as a private cache that goes by what answers state.
@Suite(
  .timeLimit(.minutes(5)),
  .enabled(if: SemanticsFile.mustRun, "skipped: ../shared/vectors/http-cache-tests.json is not there"))
struct CacheSemanticsTests {
  /// Where within a second the server's clock stands, and the milliseconds each way between client and
  /// server.
  static let timings: [(phase: Int, latency: Int)] = [(0, 0), (1, 20), (500, 5), (999, 40)]

  @Test("135 of the 137 required tests of a private cache pass; the others are refused", arguments: timings)
  func required(phase: Int, latency: Int) async throws {
    let report = try await report(phase: phase, latency: latency)
    print("http-cache-tests, \(report.summary(.required)): \(report.others(.required).map(\.id))")
    #expect(report.count(.required) == 137)
    #expect(report.passed(.required) >= 135)
    expect(report.others(.required), are: SemanticsRefusal.required)
  }

  @Test("55 of the 77 optimal tests pass; the others are refused", arguments: timings)
  func optimal(phase: Int, latency: Int) async throws {
    let report = try await report(phase: phase, latency: latency)
    print("http-cache-tests, \(report.summary(.optimal)): \(report.others(.optimal).map(\.id))")
    print("http-cache-tests, \(report.summary(.check))")
    #expect(report.count(.optimal) == 77)
    #expect(report.count(.check) == 86)
    #expect(report.passed(.optimal) >= 55)
    expect(report.others(.optimal), are: SemanticsRefusal.optimal)
  }

  @Test("Control: without a cache, the tests of a proxy come out as the original engine has them come out")
  func withoutCache() async throws {
    let report = try await SemanticsReport(of: SemanticsFile.tests(), for: .proxy, rule: .off)
    // The engine's own figures, measured over a proxy that stores nothing.
    #expect(report.count(.required) == 160)
    #expect(report.passed(.required) == 22)
    #expect(report.failed(.required) == 6)
    #expect(report.passed(.optimal) == 0)
  }

  private func report(phase: Int, latency: Int) async throws -> SemanticsReport {
    try await SemanticsReport(
      of: SemanticsFile.tests(), phase: .milliseconds(phase), latency: .milliseconds(latency))
  }

  /// Complains of each test that fails without being in a table, and of each one in the table that passes.
  private func expect(
    _ failures: [(id: String, verdict: SemanticsVerdict)], are refusals: [SemanticsRefusal]
  ) {
    for (id, verdict) in failures where !refusals.ids.contains(id) {
      Issue.record("\(id): \(verdict)")
    }
    for id in refusals.ids.subtracting(failures.map(\.id)).sorted() {
      Issue.record("\(id) passes, or is no such test; take it off the table")
    }
  }
}
