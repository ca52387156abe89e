import Interception
import ResponseCaching
import Testing

/// Runs http-cache-tests on the cache, as a private and as a shared cache that follows the header fields of
/// responses.
@Suite(
  .timeLimit(.minutes(5)),
  .enabled(if: SemanticsFile.mustRun, "Requires ../shared/vectors/http-cache-tests.json"))
struct CacheSemanticsTests {
  /// The fraction of a second of the server's clock, and the one-way latency in milliseconds.
  static let timings: [(phase: Int, latency: Int)] = [(0, 0), (1, 20), (500, 5), (999, 40)]

  @Test("135 of the 137 required tests for a private cache pass; the others are listed", arguments: timings)
  func required(phase: Int, latency: Int) async throws {
    let report = try await report(phase: phase, latency: latency)
    print("http-cache-tests, \(report.summary(.required)): \(report.others(.required).map(\.id))")
    #expect(report.count(.required) == 137)
    #expect(report.passed(.required) >= 135)
    expect(report.others(.required), are: SemanticsRefusal.required)
  }

  @Test(
    "71 of the 77 optimal tests pass with a heuristic lifetime; the others are listed", arguments: timings)
  func optimal(phase: Int, latency: Int) async throws {
    let report = try await report(phase: phase, latency: latency)
    print("http-cache-tests, \(report.summary(.optimal)): \(report.others(.optimal).map(\.id))")
    print("http-cache-tests, \(report.summary(.check))")
    #expect(report.count(.optimal) == 77)
    #expect(report.count(.check) == 86)
    #expect(report.passed(.optimal) >= 71)
    expect(report.others(.optimal), are: SemanticsRefusal.optimal)
  }

  @Test("145 of the 160 required tests for a shared cache pass; the others are listed", arguments: timings)
  func shared(phase: Int, latency: Int) async throws {
    let report = try await report(for: .proxy, phase: phase, latency: latency)
    print("http-cache-tests, shared \(report.summary(.required)): \(report.others(.required))")
    print("http-cache-tests, shared \(report.summary(.optimal))")
    #expect(report.count(.required) == 160)
    #expect(report.passed(.required) >= 145)
    expect(report.others(.required), are: SemanticsRefusal.shared)
  }

  @Test("Without the heuristic option, nine tests more fail, and no required one", arguments: timings)
  func withoutHeuristic(phase: Int, latency: Int) async throws {
    let report = try await SemanticsReport(
      of: SemanticsFile.tests(), rule: .stated(), phase: .milliseconds(phase), latency: .milliseconds(latency)
    )
    expect(report.others(.required), are: SemanticsRefusal.required)
    let others = report.others(.optimal).map(\.id).filter { !$0.hasPrefix("heuristic-") }
    #expect(Set(others) == SemanticsRefusal.optimal.ids)
    #expect(report.passed(.optimal) == 62)
  }

  @Test("Control: without a cache, the tests for a proxy have the original engine's results")
  func withoutCache() async throws {
    let report = try await SemanticsReport(of: SemanticsFile.tests(), for: .proxy, rule: .off)
    // The figures of the original engine, measured with a proxy that stores nothing.
    #expect(report.count(.required) == 160)
    #expect(report.passed(.required) == 22)
    #expect(report.failed(.required) == 6)
    #expect(report.passed(.optimal) == 0)
  }

  private func report(
    for audience: SemanticsTest.Audience = .privateCache, phase: Int, latency: Int
  ) async throws -> SemanticsReport {
    try await SemanticsReport(
      of: SemanticsFile.tests(), for: audience, phase: .milliseconds(phase), latency: .milliseconds(latency))
  }

  /// Records each failing test that isn't listed, and each listed test that passes.
  private func expect(
    _ failures: [(id: String, verdict: SemanticsVerdict)], are refusals: [SemanticsRefusal]
  ) {
    for (id, verdict) in failures where !refusals.ids.contains(id) {
      Issue.record("\(id): \(verdict)")
    }
    for id in refusals.ids.subtracting(failures.map(\.id)).sorted() {
      Issue.record("\(id) passes or doesn't exist; remove it from the list")
    }
  }
}
