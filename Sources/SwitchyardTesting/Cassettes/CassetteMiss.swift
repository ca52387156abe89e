/// A request that matches no exchange of a cassette; the underlying error of a ``ReplayDispatcher``'s
/// failure.
public struct CassetteMiss: Error, Sendable, Hashable, CustomStringConvertible {
  /// The request, with its secrets replaced.
  public let asked: Cassette.Asked
  /// The differences from the remaining exchanges, most similar first; at most three.
  public let differences: [String]

  /// The request and the remedy.
  public var description: String {
    let nearest = differences.isEmpty ? "no exchange is left" : differences.joined(separator: "; ")
    return
      "The cassette has no response to \(asked.method) \(asked.scheme)://\(asked.authority)\(asked.path): "
      + "\(nearest). Record it again, or relax the matching."
  }
}
