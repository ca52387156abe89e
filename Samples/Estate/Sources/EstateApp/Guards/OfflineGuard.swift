import ListingsRoutes
import SettingsRoutes
import Switchyard

/// Leads to the settings instead of the overview while there is no network, because its loads would all fail.
struct OfflineGuard: RouteGuard {
  let id = "offline"
  /// Before the guards that ask the user anything.
  let priority = 1
  let deadline: Duration? = .seconds(1)
  let network: ReachabilityState

  func check(_ target: RouteSummary, _ context: RouteContext) async throws -> GuardVerdict {
    guard target.pattern == OverviewRoute.pattern, network.status == .offline else { return .proceed }
    return .redirect(SettingsRoute.pattern.text)
  }
}
