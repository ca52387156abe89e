/// What came of an attempt to open something.
package struct Attempt: Sendable, Hashable {
  /// How it ended.
  package let result: StepResult
  /// The answer of a service, or the error in a sentence; nil if a screen is shown.
  package let text: String?
}
