/// The status of the network.
public enum NetworkStatus: Sendable, Hashable {
  /// Not known; requests are sent.
  case unknown
  /// There is a network.
  case online
  /// There is no network; only stored responses are available.
  case offline
}
