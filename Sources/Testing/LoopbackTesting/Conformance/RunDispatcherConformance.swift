#if LoopbackTesting
import HTTPTypes
public import Interception
import SwitchyardTesting

/// Checks the requirements of ``/Interception/Dispatcher`` for a dispatcher, each with a new server.
///
/// ```swift
/// let report = try await runDispatcherConformance(
///   excluding: ["http2GoAway": "the library does not report it"]
/// ) { setting in
///   MyDispatcher(trusting: setting.authorityFile)
/// }
/// #expect(report.violations.isEmpty, "\(report)")
/// ```
///
/// - Parameters:
///   - abilities: The abilities of the dispatcher; a case that needs more is reported as lacking them.
///   - exclusions: The names of the cases to skip, each with a reason, which the report repeats.
///   - makeDispatcher: Creates a new dispatcher for each case.
/// - Throws: ``LoopbackError`` if no case has an excluded name, or certificates cannot be created; or any
///   error of `makeDispatcher`.
public func runDispatcherConformance<Subject: Dispatcher>(
  abilities: ConformanceNeeds = .all, excluding exclusions: [String: String] = [:],
  over makeDispatcher: @Sendable (ConformanceSetting) async throws -> Subject
) async throws -> ConformanceReport {
  try await runDispatcherConformance(
    ConformanceCase.all, abilities: abilities, excluding: exclusions, over: makeDispatcher)
}

/// Checks some cases of the suite.
///
/// - Parameters:
///   - limit: The maximum time for a case; a longer one is broken.
///   - certificates: The set whose authority the dispatcher trusts; by default that of this process.
package func runDispatcherConformance<Subject: Dispatcher>(
  _ cases: [ConformanceCase], abilities: ConformanceNeeds = .all,
  excluding exclusions: [String: String] = [:], limit: Duration = .seconds(120),
  certificates: LoopbackCertificates? = nil,
  over makeDispatcher: @Sendable (ConformanceSetting) async throws -> Subject
) async throws -> ConformanceReport {
  let names = Set(ConformanceCase.all.map(\.name))
  if let unknown = exclusions.keys.filter({ !names.contains($0) }).min() {
    throw LoopbackError(
      "No conformance case is called \"\(unknown)\"; exclude a name that a report shows.")
  }
  let certificates = if let certificates { certificates } else { try await LoopbackCertificates() }
  let setting = ConformanceSetting(authorityFile: certificates.authorityFile)
  var entries: [ConformanceReport.Entry] = []
  for conformanceCase in cases {
    let missing = conformanceCase.needs.subtracting(abilities)
    let verdict: ConformanceReport.Verdict
    if let reason = exclusions[conformanceCase.name] {
      verdict = .excluded(reason)
    } else if !missing.isEmpty {
      verdict = .lacking(missing)
    } else {
      let context = ConformanceContext(
        dispatcher: try await makeDispatcher(setting), certificates: certificates,
        hasWire: abilities.contains(.wire))
      verdict = await conformanceCase.verdict(on: context, limit: limit)
    }
    entries.append(.init(conformanceCase: conformanceCase, verdict: verdict))
  }
  return ConformanceReport(entries: entries)
}

extension ConformanceCase {
  /// Runs the case; a case that exceeds the limit is cancelled and reported as broken.
  fileprivate func verdict(on context: ConformanceContext, limit: Duration) async -> ConformanceReport.Verdict
  {
    let found = WaitableValue<ConformanceReport.Verdict?>(nil)
    let work = Task {
      let verdict: ConformanceReport.Verdict
      do {
        try await run(context)
        verdict = .kept
      } catch {
        verdict = .broken("\(error)")
      }
      found.update { $0 = $0 ?? verdict }
    }
    let watch = Task {
      try await ContinuousClock().sleep(for: limit)
      found.update { $0 = $0 ?? .broken("it did not finish within \(limit)") }
    }
    // The watch ends the wait; its own limit is only the longer one.
    let verdict = try? await found.wait(within: limit + .seconds(20)) { $0 != nil }
    watch.cancel()
    work.cancel()
    return verdict.flatMap(\.self) ?? .broken("the run was cancelled")
  }
}

#endif
