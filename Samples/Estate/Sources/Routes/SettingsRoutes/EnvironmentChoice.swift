public import Mediation

/// The environments that the app can use.
public enum EnvironmentChoice: String, RouteValue, CaseIterable, Hashable {
  /// The servers of all users.
  case production
  /// The servers on which a release is tested.
  case staging
}
