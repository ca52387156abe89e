public import APIManagers

/// What the app can switch while it runs.
public struct AppSwitches: Sendable {
  /// The environment in which each service is used.
  public let environments: EnvironmentSwitch
  /// The status of the network, which a phone's network monitor would set.
  public let network: ReachabilityState
  /// The APIs that are switched off.
  public let downgrades: DowngradeList
  /// The scheme with which requests are signed.
  public let signatures = SignatureSwitch()

  /// Creates the switches of an app that starts in an environment.
  ///
  /// - Parameter file: The path of the file that keeps the choice of environments; with `nil` it ends with
  ///   the app.
  public init(_ environment: DeploymentEnvironment = .release, keptIn file: String? = nil) {
    environments = EnvironmentSwitch(environment, storedIn: file.map { EnvironmentFile(path: $0) })
    network = ReachabilityState()
    downgrades = DowngradeList()
  }
}
