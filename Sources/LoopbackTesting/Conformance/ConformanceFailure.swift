/// A promise that a dispatcher has broken.
public struct ConformanceFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// What was found, and what was expected.
  public let description: String

  init(_ sentence: String) { description = sentence }
}
