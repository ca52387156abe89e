public import Interception

/// Why a host could be reached by none of its addresses, nor by the system's DNS: one cause for each.
public struct BypassFailure: Error, Sendable {
  /// One way that led nowhere.
  public struct Route: Sendable {
    /// The address; nil for the system's DNS.
    public let target: ConnectTarget?
    /// What failed; nil where it wasn't tried: it had failed shortly before, or the limit of attempts was
    /// reached.
    public let error: NetworkError?
  }

  /// The host, with its port where the URL has one.
  public let host: String
  /// The ways, in the order in which they were tried; those not tried at the end.
  public let routes: [Route]

  /// The chain's error for it: a cause's kind, and a sentence that lists every address.
  func networkError(_ kind: NetworkError.Kind, attempt: Int) -> NetworkError {
    NetworkError(kind, description, underlying: self, attempt: attempt)
  }
}

extension BypassFailure: CustomStringConvertible {
  /// The host, then each address and its cause.
  public var description: String {
    "\(host) can be reached by none of its addresses; check the network, and the address table. "
      + routes.map(\.description).joined(separator: " ")
  }
}

extension BypassFailure.Route: CustomStringConvertible {
  /// The address and the cause.
  public var description: String {
    let name = target.map { "\($0)" } ?? "system DNS"
    guard let error else { return "[\(name)] not tried: it failed shortly before, or enough others did." }
    return "[\(name)] \(error.label): \(error.reason)"
  }
}
