/// Reports whether there is a network.
///
/// It may rule out only requests that cannot succeed: if the status is not known, it is
/// ``NetworkStatus/unknown``, and requests are sent.
public protocol Reachability: Sendable {
  /// The current status; the getter must return immediately.
  var status: NetworkStatus { get }
}

/// The status of the network.
public enum NetworkStatus: Sendable, Hashable {
  /// Not known; requests are sent.
  case unknown
  /// There is a network.
  case online
  /// There is no network; only stored responses are available.
  case offline
}
