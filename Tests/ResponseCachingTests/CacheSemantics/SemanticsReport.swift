import Interception

/// The results of all tests for one kind of cache.
struct SemanticsReport {
  private(set) var verdicts: [(test: SemanticsTest, verdict: SemanticsVerdict)] = []

  /// Runs all tests for a kind of cache.
  init(
    of tests: [SemanticsTest], for audience: SemanticsTest.Audience = .privateCache,
    rule: CacheRule = SemanticsRun.rule, phase: Duration = .zero,
    latency: Duration = .zero, over transport: SemanticsTransport = .inProcess
  ) async throws {
    let tests = tests.filter { $0.audience.contains(audience) }
    var outcomes: [String: SemanticsOutcome] = [:]
    for test in tests {
      outcomes[test.id] = await
        (try SemanticsRun(test, for: audience, rule: rule, phase: phase, latency: latency, over: transport))
        .outcome()
    }
    let byID = Dictionary(tests.map { ($0.id, $0) }) { first, _ in first }
    verdicts = tests.map { ($0, Self.verdict(on: $0, outcomes, byID)) }
  }

  /// Returns the number of tests of a kind.
  func count(_ kind: SemanticsTest.Kind) -> Int { verdicts.count { $0.test.kind == kind } }

  /// Returns the number of tests of a kind that passed.
  func passed(_ kind: SemanticsTest.Kind) -> Int {
    verdicts.count { $0.test.kind == kind && $0.verdict == .passed }
  }

  /// Returns the number of tests of a kind that failed by themselves.
  func failed(_ kind: SemanticsTest.Kind) -> Int {
    others(kind).count { if case .failed = $0.verdict { true } else { false } }
  }

  /// Returns the tests of a kind that didn't pass, in the file's order.
  func others(_ kind: SemanticsTest.Kind) -> [(id: String, verdict: SemanticsVerdict)] {
    verdicts.filter { $0.test.kind == kind && $0.verdict != .passed }.map { ($0.test.id, $0.verdict) }
  }

  /// Returns one line with the numbers of passed, failed and blocked tests of a kind.
  func summary(_ kind: SemanticsTest.Kind) -> String {
    let (failed, others) = (failed(kind), others(kind).count)
    return "\(kind.rawValue): \(passed(kind)) of \(count(kind)) passed, \(failed) failed, "
      + "\(others - failed) blocked"
  }

  /// Returns the number of passed tests of a kind, and of all.
  func score(_ kind: SemanticsTest.Kind) -> String { "\(kind.rawValue) \(passed(kind))/\(count(kind))" }

  private static func verdict(
    on test: SemanticsTest, _ outcomes: [String: SemanticsOutcome], _ tests: [String: SemanticsTest]
  ) -> SemanticsVerdict {
    for id in test.dependencies {
      guard let dependency = tests[id], verdict(on: dependency, outcomes, tests) == .passed else {
        return .blocked("\(id) did not pass")
      }
    }
    switch outcomes[test.id] {
    case .passed: return .passed
    case .failed(let complaint): return .failed(complaint)
    case .unprepared(let complaint): return .blocked(complaint)
    case .retried: return .blocked("a request was sent twice")
    case nil: return .blocked("not run")
    }
  }
}
