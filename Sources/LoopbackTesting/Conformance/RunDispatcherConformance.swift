public import Interception
import SwitchyardTesting

/// Runs the promises of ``/Interception/Dispatcher`` over a dispatcher, each against a server of its own.
///
/// ```swift
/// let report = try await runDispatcherConformance(excluding: [.http2GoAway: "the library hides it"]) { setting in
///   MyDispatcher(trusting: setting.authorityFile)
/// }
/// #expect(report.violations.isEmpty, "\(report)")
/// ```
///
/// - Parameters:
///   - cases: What to run; everything by default. With Swift Testing, `arguments: ConformanceCase.all` makes
///     a test of each.
///   - abilities: What the dispatcher has; a case that needs more is reported as lacking it.
///   - exclusions: Cases that are not run, each with the reason, which the report repeats.
///   - limit: The time a case may take; one that takes longer is broken.
///   - certificates: The set whose authority the dispatcher trusts; by default that of this process.
///   - makeDispatcher: Makes a fresh dispatcher; called once a case.
/// - Throws: ``LoopbackError`` when certificates cannot be made, and whatever `makeDispatcher` throws.
public func runDispatcherConformance<Subject: Dispatcher>(
  _ cases: [ConformanceCase] = ConformanceCase.all, abilities: ConformanceNeeds = .all,
  excluding exclusions: [ConformanceCase: String] = [:], limit: Duration = .seconds(120),
  certificates: LoopbackCertificates? = nil,
  over makeDispatcher: @Sendable (ConformanceSetting) async throws -> Subject
) async throws -> ConformanceReport {
  let certificates = if let certificates { certificates } else { try await LoopbackCertificates() }
  let setting = ConformanceSetting(authorityFile: certificates.authorityFile)
  var entries: [ConformanceReport.Entry] = []
  for conformanceCase in cases {
    let missing = conformanceCase.needs.subtracting(abilities)
    let verdict: ConformanceReport.Verdict
    if let reason = exclusions[conformanceCase] {
      verdict = .excluded(reason)
    } else if !missing.isEmpty {
      verdict = .lacking(missing)
    } else {
      let bench = ConformanceBench(
        dispatcher: try await makeDispatcher(setting), certificates: certificates,
        hasWire: abilities.contains(.wire))
      verdict = await conformanceCase.verdict(on: bench, limit: limit)
    }
    entries.append(.init(conformanceCase: conformanceCase, verdict: verdict))
  }
  return ConformanceReport(entries: entries)
}

extension ConformanceCase {
  /// Runs the case; one that hangs is left behind and broken.
  fileprivate func verdict(on bench: ConformanceBench, limit: Duration) async -> ConformanceReport.Verdict {
    let found = WaitableValue<ConformanceReport.Verdict?>(nil)
    let work = Task {
      let verdict: ConformanceReport.Verdict
      do {
        try await run(bench)
        verdict = .kept
      } catch {
        verdict = .broken("\(error)")
      }
      found.update { $0 = $0 ?? verdict }
    }
    let watch = Task {
      try await ContinuousClock().sleep(for: limit)
      found.update { $0 = $0 ?? .broken("it was not over within \(limit)") }
    }
    let verdict = try? await found.wait { $0 != nil }
    watch.cancel()
    work.cancel()
    return verdict.flatMap(\.self) ?? .broken("the run was cancelled")
  }
}
