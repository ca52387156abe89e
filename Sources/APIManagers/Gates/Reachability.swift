/// Says whether there is a network.
///
/// It may only refuse what is hopeless: where nothing is known it says ``NetworkStatus/unknown``, and
/// requests are tried.
public protocol Reachability: Sendable {
  /// What is known right now; it must answer at once.
  var status: NetworkStatus { get }
}

/// What is known of the network.
public enum NetworkStatus: Sendable, Hashable {
  /// Nothing: requests are tried.
  case unknown
  /// There is one.
  case online
  /// There is none: only stored answers can be had.
  case offline
}
