import APIManagers
public import EstateNetwork
public import Mediation
import Navigation
import SettingsRoutes
import TerminalScreens

/// Shows and changes what the app can switch while it runs.
public struct SettingsModule: BusinessModule {
  /// The module's name.
  public let name = "Settings"
  private let switches: AppSwitches
  private let status: @MainActor @Sendable () -> [String]

  /// Creates the module.
  ///
  /// - Parameter status: Returns the lines with which the app describes its loads.
  public init(switches: AppSwitches, status: @escaping @MainActor @Sendable () -> [String]) {
    self.switches = switches
    self.status = status
  }

  /// Declares the screen and the switches.
  public func declare(into table: inout RouteTable) {
    let switchboard = Switchboard(switches: switches)
    table.screen(SettingsRoute.self, style: .tab("settings")) { [status] _, _ in
      SettingsScreen(settings: switchboard.settings, status: status)
    }
    table.action(EnvironmentRoute.self) { route, _ in
      switchboard.use(route.environment, for: route.service)
    }
    table.action(ServerRoute.self) { route, _ in switchboard.use(server: route.authority?.text) }
    table.action(NetworkRoute.self) { route, _ in switchboard.set(route.status) }
    table.action(SignatureRoute.self) { route, _ in switchboard.sign(by: route.scheme) }
    table.action(DowngradeRoute.self) { route, _ in switchboard.downgrade(route.api, because: route.reason) }
  }
}
