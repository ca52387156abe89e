public import Interception

/// The error underlying a request that failed on every address of its host and on the system's DNS.
///
/// It lists the cause for each.
public struct BypassFailure: Error, Sendable {
  /// One attempted route to the host.
  public struct Route: Sendable {
    /// The address, or nil for the system's DNS.
    public let target: ConnectTarget?
    /// The error, or nil if the address wasn't tried: it had failed shortly before, or the attempt limit was
    /// reached.
    public let error: NetworkError?
  }

  /// The host, with its port if the URL has one.
  public let host: String
  /// The routes in the order in which they were tried; untried addresses are last.
  public let routes: [Route]

  /// Returns an error of the given kind that lists every address.
  func networkError(_ kind: NetworkError.Kind, attempt: Int) -> NetworkError {
    NetworkError(kind, description, underlying: self, attempt: attempt)
  }
}

extension BypassFailure: CustomStringConvertible {
  /// The host, then each address and its cause.
  public var description: String {
    "\(host) can't be reached at any of its addresses; check the network and the address table. "
      + routes.map(\.description).joined(separator: " ")
  }
}

extension BypassFailure.Route: CustomStringConvertible {
  /// The address and the cause.
  public var description: String {
    let name = target.map { "\($0)" } ?? "system DNS"
    guard let error else {
      return "[\(name)] not tried: it failed recently, or the attempt limit was reached."
    }
    return "[\(name)] \(error.label): \(error.reason)"
  }
}
