import CurlTransport
import Interception
import ResponseCaching
import Testing

/// Runs http-cache-tests on the cache over libcurl, against a server behind sockets.
///
/// Results, and reasons for those that are not passed, are those of ``CacheSemanticsTests``.
@Suite(
  .timeLimit(.minutes(5)),
  .enabled(if: SemanticsFile.mustRun, "Requires ../shared/vectors/http-cache-tests.json"))
struct CacheSemanticsWireTests {
  @Test(
    "Over sockets each test has its in-process result, but for those that libcurl refuses",
    arguments: CacheSemanticsTests.timings)
  func agreement(phase: Int, latency: Int) async throws {
    let (oneUser, reference) = try await reports(for: .privateCache, phase: phase, latency: latency)
    let refused = expectAgreement(of: oneUser, with: reference)
    let (manyUsers, sharedReference) = try await reports(for: .proxy, phase: phase, latency: latency)
    let refusedToo = expectAgreement(of: manyUsers, with: sharedReference)
    print(
      "cache-tests private \(oneUser.score(.required)) \(oneUser.score(.optimal)) "
        + "shared \(manyUsers.score(.required))")
    #expect(oneUser.count(.required) == 137 && oneUser.count(.optimal) == 77)
    #expect(manyUsers.count(.required) == 160)
    #expect(oneUser.passed(.required) + refused.count >= 135)
    #expect(oneUser.passed(.optimal) >= 71)
    #expect(manyUsers.passed(.required) + refusedToo.count >= 145)
    let others = Set(manyUsers.others(.required).map(\.id))
    #expect(others.subtracting(refusedToo) == SemanticsRefusal.shared.ids)
  }

  /// Runs the tests in-process and over sockets.
  private func reports(
    for audience: SemanticsTest.Audience, phase: Int, latency: Int
  ) async throws -> (overSockets: SemanticsReport, inProcess: SemanticsReport) {
    func report(over transport: SemanticsTransport) async throws -> SemanticsReport {
      try await SemanticsReport(
        of: SemanticsFile.tests(), for: audience, phase: .milliseconds(phase),
        latency: .milliseconds(latency), over: transport)
    }
    return (try await report(over: .sockets(CurlDispatcher())), try await report(over: .inProcess))
  }

  /// Records each test whose result over sockets is another one; returns those that libcurl refuses.
  private func expectAgreement(of overSockets: SemanticsReport, with inProcess: SemanticsReport) -> [String] {
    #expect(overSockets.verdicts.map(\.test.id) == inProcess.verdicts.map(\.test.id))
    var refused: [String] = []
    for ((test, verdict), (_, other)) in zip(overSockets.verdicts, inProcess.verdicts)
    where verdict.name != other.name {
      if SemanticsRefusal.byTransport.ids.contains(test.id), verdict.isWithoutResponse {
        refused.append(test.id)
      } else {
        Issue.record("\(test.id) over sockets: \(verdict); in-process: \(other)")
      }
    }
    return refused
  }
}
