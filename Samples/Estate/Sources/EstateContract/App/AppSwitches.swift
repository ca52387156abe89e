package import APIManagers

package struct AppSwitches: Sendable {
  package let environments: EnvironmentSwitch
  /// The status of the network, which a phone's network monitor would set.
  package let network: ReachabilityState
  package let downgrades: DowngradeList
  package let signatures = SignatureSwitch()

  /// Creates the switches of an app that starts in an environment.
  ///
  /// - Parameter file: The path of the file that keeps the choice of environments; with `nil` it ends with
  ///   the app.
  package init(_ environment: DeploymentEnvironment = .release, keptIn file: String? = nil) {
    environments = EnvironmentSwitch(environment, storedIn: file.map { EnvironmentFile(path: $0) })
    network = ReachabilityState()
    downgrades = DowngradeList()
  }
}
