/// What came of playing one test, on its own.
enum SemanticsOutcome: Sendable, Hashable {
  case passed
  /// A check of the test's subject failed.
  case failed(String)
  /// A check of the preparation failed, so that the test says nothing.
  case unprepared(String)
  /// The client sent a request again.
  case retried

  /// Throws where a condition doesn't hold.
  static func check(
    _ condition: Bool, isPreparation: Bool, _ complaint: @autoclosure () -> String
  ) throws(SemanticsFailure) {
    guard !condition else { return }
    throw SemanticsFailure(outcome: isPreparation ? .unprepared(complaint()) : .failed(complaint()))
  }
}

/// Ends a test that has gone wrong.
struct SemanticsFailure: Error {
  let outcome: SemanticsOutcome
}

/// What came of a test in view of those that it depends on.
enum SemanticsVerdict: Sendable, Hashable {
  case passed
  case failed(String)
  /// The test says nothing: its preparation failed, or a test that it depends on.
  case blocked(String)
}
