import HTTPTypes
import Interception
import Synchronization

/// A request that matches no exchange of a cassette; the underlying error of a ``ReplayDispatcher``'s
/// failure.
package struct CassetteMissError: Error, LoggableError, Sendable, Hashable, CustomStringConvertible {
  /// The request, with its secrets replaced.
  package let request: Cassette.RecordedRequest
  /// The differences from the remaining exchanges, most similar first; at most three.
  package let differences: [String]

  /// The request and the remedy.
  package var description: String {
    let nearest = differences.isEmpty ? "no exchange is left" : differences.joined(separator: "; ")
    return
      "The cassette has no response to \(request.method) \(request.scheme)://\(request.authority)\(request.path): "
      + "\(nearest). Record it again, or relax the matching."
  }
}
