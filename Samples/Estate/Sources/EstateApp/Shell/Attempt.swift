/// The outcome of opening something.
package struct Attempt: Sendable, Hashable {
  /// Whether it succeeded.
  package let result: StepResult
  /// The answer of a service, or a sentence about the error; `nil` if a screen was shown.
  package let text: String?
}
