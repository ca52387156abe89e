/// The environments that the app can use.
public enum EnvironmentChoice: String, Codable, CaseIterable, Sendable {
  /// The servers of all users.
  case production
  /// The servers on which a release is tested.
  case staging
}
