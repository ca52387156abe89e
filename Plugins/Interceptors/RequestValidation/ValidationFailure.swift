/// All faults of a request or a response.
public struct ValidationFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The maximum number of sentences in the description.
  static let mostSentences = 16

  /// The faults, at least one.
  public let faults: [ValidationFault]

  /// The sentences of the faults.
  public var description: String {
    let sentences = faults.prefix(Self.mostSentences).map(\.sentence).joined(separator: " ")
    let rest = faults.count - Self.mostSentences
    return rest > 0 ? "\(sentences) (And \(rest) more.)" : sentences
  }
}
