import HTTPTypes
public import Interception
import Synchronization

/// A request that matches no exchange of a cassette; the underlying error of a ``ReplayDispatcher``'s
/// failure.
public struct CassetteMissError: Error, LoggableError, Sendable, Hashable, CustomStringConvertible {
  /// The request, with its secrets replaced.
  public let request: Cassette.RecordedRequest
  /// The differences from the remaining exchanges, most similar first; at most three.
  public let differences: [String]

  /// The request and the remedy.
  public var description: String {
    let nearest = differences.isEmpty ? "no exchange is left" : differences.joined(separator: "; ")
    return
      "The cassette has no response to \(request.method) \(request.scheme)://\(request.authority)\(request.path): "
      + "\(nearest). Record it again, or relax the matching."
  }
}
