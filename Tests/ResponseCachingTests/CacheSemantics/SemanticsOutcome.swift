/// The outcome of a single test.
enum SemanticsOutcome: Sendable, Hashable {
  case passed
  /// A check of the test's subject failed.
  case failed(String)
  /// A check of the preparation failed, so that the test is inconclusive.
  case unprepared(String)
  /// The client sent a request again.
  case retried

  /// Throws if a condition is false.
  static func check(
    _ condition: Bool, isPreparation: Bool, _ complaint: @autoclosure () -> String
  ) throws(SemanticsFailure) {
    guard !condition else { return }
    throw SemanticsFailure(outcome: isPreparation ? .unprepared(complaint()) : .failed(complaint()))
  }
}

/// Ends a test that failed.
struct SemanticsFailure: Error {
  let outcome: SemanticsOutcome
}

/// The verdict on a test, considering the tests that it depends on.
enum SemanticsVerdict: Sendable, Hashable {
  case passed
  case failed(String)
  /// The test is inconclusive: its preparation failed, or a test that it depends on.
  case blocked(String)
}

extension SemanticsVerdict {
  /// The verdict without its cause.
  var name: String {
    switch self {
    case .passed: "passed"
    case .failed: "failed"
    case .blocked: "blocked"
    }
  }

  /// Whether the test failed because the first request had no response.
  var isWithoutResponse: Bool {
    if case .failed(let complaint) = self { complaint.hasPrefix("request 1 has no response") } else { false }
  }
}
