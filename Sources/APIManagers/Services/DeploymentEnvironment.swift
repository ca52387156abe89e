/// One of the places where a service runs.
public enum DeploymentEnvironment: String, Sendable, Hashable, CaseIterable {
  /// What the service's own developers use.
  case develop
  /// What testers use before a release.
  case releaseCandidate
  /// What everybody uses.
  case release
}
