/// Everything that is wrong with a request, or with an answer, at once.
public struct ValidationFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The most sentences that the description has.
  static let mostSentences = 16

  /// What is wrong, at least one thing.
  public let faults: [ValidationFault]

  /// The sentences, one after the other.
  public var description: String {
    let sentences = faults.prefix(Self.mostSentences).map(\.sentence).joined(separator: " ")
    let rest = faults.count - Self.mostSentences
    return rest > 0 ? "\(sentences) (And \(rest) more.)" : sentences
  }
}
