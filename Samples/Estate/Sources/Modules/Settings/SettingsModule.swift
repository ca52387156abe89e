package import APIManagers
package import EstateContract
package import Mediation
import Navigation
import SettingsRoutes

/// Shows and changes what the app can switch while it runs, and shows what it has recorded.
package struct SettingsModule: BusinessModule {
  package let name = "Settings"
  private let client: APIClient
  private let switches: AppSwitches
  private let addresses: any KnownServerAddresses
  private let journal: (any RecordedActions)?
  private let deployments: (any ReceivedDeployments)?
  private let data: KeptData?
  private let status: @MainActor @Sendable () -> [String]

  /// Creates the module.
  ///
  /// - Parameters:
  ///   - journal: What was recorded of the user's actions; `nil` if they are not recorded.
  ///   - deployments: What changes without a release; `nil` if nothing does.
  ///   - data: Keeps the choice of the signature for the next launch.
  ///   - status: Returns the lines with which the app describes its loads.
  package init(
    client: APIClient, switches: AppSwitches, addresses: any KnownServerAddresses,
    journal: (any RecordedActions)?, deployments: (any ReceivedDeployments)?, data: KeptData? = nil,
    status: @escaping @MainActor @Sendable () -> [String]
  ) {
    self.client = client
    self.switches = switches
    self.addresses = addresses
    self.journal = journal
    self.deployments = deployments
    self.data = data
    self.status = status
  }

  package func declare(into table: inout RouteTable) {
    let switchboard = Switchboard(switches: switches, data: data)
    table.on(.launch) { _, _ in try await switchboard.restore() }
    let known: @MainActor @Sendable () -> KnownAddresses = { [addresses] in
      let host = switchboard.server
      return KnownAddresses(
        host: host, addresses: addresses.statuses(of: host), network: addresses.networkLine)
    }
    table.screen(SettingsRoute.self, style: .tab("settings")) { [status, journal, deployments] _, _ in
      SettingsScreen(
        switchboard: switchboard, addresses: known, status: { status() + (deployments?.lines ?? []) },
        journal: { journal?.lines ?? [] })
    }
    table.screen(AddressesRoute.self, style: .tab("settings")) { _, _ in AddressesScreen(addresses: known) }
    table.screen(ActivityRoute.self, style: .tab("settings")) { [client, journal] _, _ in
      await journal?.flush()
      return ActivityScreen(
        journal: journal?.lines ?? ["The user's actions are not recorded."],
        server: try await client.load(RecentActivityAPI(), RecentActivityAPI.Params(limit: 10)))
    }
    let loader = DeploymentLoader(client: client, deployments: deployments)
    table.action(DeploymentRoute.self) { route, _ in try await loader.receive(route.change) }
    table.action(EnvironmentRoute.self) { route, _ in
      switchboard.use(route.environment, for: route.service)
    }
    table.action(ServerRoute.self) { route, _ in switchboard.use(server: route.authority?.routeText) }
    table.action(NetworkRoute.self) { route, _ in switchboard.set(route.status) }
    table.action(SignatureRoute.self) { route, _ in try await switchboard.sign(by: route.scheme) }
    table.action(DowngradeRoute.self) { route, _ in switchboard.downgrade(route.api, because: route.reason) }
  }
}
