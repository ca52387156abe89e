/// How opening a URL ended.
public enum StepResult: Sendable, Hashable {
  /// A screen was shown, or a service answered.
  case done
  /// With an error of this label.
  case failed(String)
}
