/// What the app knows about the network.
public enum NetworkChoice: String, Codable, CaseIterable, Sendable {
  /// There is a network.
  case online
  /// There is no network.
  case offline
  /// Not known; requests are sent.
  case unknown
}
