import HTTPTypes
public import Interception

/// The error of a request or response that violates rules: all violations at once.
public struct RuleViolationError: Error, LoggableError, Sendable, Hashable, CustomStringConvertible {
  /// The maximum number of sentences in the description.
  static let maximumSentences = 16

  /// The violations, at least one.
  package let breaches: [RuleViolation]

  /// The sentences of all violations, at least one.
  public var violations: [String] { breaches.map(\.sentence) }

  /// The sentences of the violations.
  public var description: String {
    let sentences = breaches.prefix(Self.maximumSentences).map(\.sentence).joined(separator: " ")
    let rest = breaches.count - Self.maximumSentences
    return rest > 0 ? "\(sentences) (And \(rest) more.)" : sentences
  }
}
