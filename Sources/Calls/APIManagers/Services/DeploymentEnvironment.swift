/// An environment in which a service runs.
public enum DeploymentEnvironment: String, Sendable, Hashable, CaseIterable, Codable {
  /// For the developers of the service.
  case develop
  /// For testing before a release.
  case releaseCandidate
  /// For production.
  case release
}
