public import Mediation

/// What the app knows about the network.
public enum NetworkChoice: String, RouteValue, CaseIterable, Hashable {
  /// There is a network.
  case online
  /// There is no network.
  case offline
  /// Not known; requests are sent.
  case unknown
}
