/// A law that routes or modules do not keep, with every instance that was found.
public struct MediationCheckFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The law, as a sentence.
  public let law: String
  /// What breaks it, a sentence each, with the remedy.
  public let problems: [String]

  /// The law and one line for each problem.
  public var description: String { ([law] + problems.map { "- \($0)" }).joined(separator: "\n") }
}
