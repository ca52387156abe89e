import Mediation

/// A law that routes or modules violate, with every violation.
public struct MediationCheckFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The law, as a sentence.
  package let law: String
  /// The violations, one sentence each, with a remedy.
  package let problems: [String]

  /// The law and one line per violation.
  public var description: String { ([law] + problems.map { "- \($0)" }).joined(separator: "\n") }
}
