/// The result of opening a URL.
public enum StepResult: Sendable, Hashable {
  /// A screen was shown, or a service answered.
  case done
  /// It failed with an error of this label.
  case failed(String)
}
