package struct Attempt: Sendable, Hashable {
  package let result: StepResult
  /// The answer of a service, or a sentence about the error; `nil` if a screen was shown.
  package let text: String?
}

package enum StepResult: Sendable, Hashable {
  /// A screen was shown, or a service answered.
  case done
  /// It failed with an error of this label.
  case failed(String)
}
