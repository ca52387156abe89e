package import Interception

/// The error underlying a request that failed on every address of its host and on the system's DNS.
///
/// It lists the cause for each.
package struct BypassError: Error, LoggableError, Sendable {
  /// One attempt to reach the host.
  package struct Attempt: Sendable {
    /// The address, or nil for the system's DNS.
    package let target: ConnectTarget?
    /// The error, or nil if the address wasn't tried: it had failed shortly before, or the attempt limit was
    /// reached.
    package let error: NetworkError?
  }

  /// The host, with its port if the URL has one.
  package let host: String
  /// The attempts in the order in which they were tried; untried addresses are last.
  package let attempts: [Attempt]

  /// Returns an error of the given kind that lists every address.
  func networkError(_ kind: NetworkError.Kind, attempt: Int) -> NetworkError {
    NetworkError(kind, description, underlying: self, attempt: attempt)
  }
}

extension BypassError: CustomStringConvertible {
  /// The host, then each address and its cause.
  package var description: String {
    "\(host) can't be reached at any of its addresses; check the network and the address table. "
      + attempts.map(\.description).joined(separator: " ")
  }
}

extension BypassError.Attempt: CustomStringConvertible {
  /// The address and the cause.
  package var description: String {
    let name = target.map { "\($0)" } ?? "system DNS"
    guard let error else {
      return "[\(name)] not tried: it failed recently, or the attempt limit was reached."
    }
    return "[\(name)] \(error.label): \(error.reason)"
  }
}
