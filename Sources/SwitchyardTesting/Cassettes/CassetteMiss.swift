/// A request that a cassette has no answer to; what a ``ReplayDispatcher``'s error wraps.
public struct CassetteMiss: Error, Sendable, Hashable, CustomStringConvertible {
  /// The request, with its secrets replaced.
  public let asked: Cassette.Asked
  /// Why the exchanges that could have answered didn't, nearest first; at most three.
  public let differences: [String]

  /// The request, and the remedy.
  public var description: String {
    let nearest = differences.isEmpty ? "no exchange is left" : differences.joined(separator: "; ")
    return "The cassette has no answer to \(asked.method) \(asked.scheme)://\(asked.authority)\(asked.path): "
      + "\(nearest). Record it anew, or loosen the matching."
  }
}
