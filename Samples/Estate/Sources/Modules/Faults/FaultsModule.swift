package import APIManagers
import FaultsRoutes
package import Interception
package import Mediation

/// Provokes each kind of failure, to show how it is reported.
package struct FaultsModule: BusinessModule {
  package let name = "Faults"
  private let faults: FaultMaker

  /// Creates the module.
  ///
  /// - Parameters:
  ///   - stranger: A dispatcher that doesn't trust the sample's own certificate authority.
  ///   - port: The port of the sample's server on this machine.
  package init(client: APIClient, stranger: some Dispatcher, port: Int) {
    faults = FaultMaker(client: client, stranger: stranger, port: port)
  }

  /// Declares the faults, which a guard of the module refuses unless the app allows them.
  package func declare(into table: inout RouteTable) {
    table.guarded(by: DemonstrationGuard())
    table.action(FaultRoute.self) { [faults] route, _ in try await faults.make(route.kind) }
  }
}
