public import APIManagers
import FaultsRoutes
public import Interception
public import Mediation

/// Provokes each kind of failure, to show how it is reported.
public struct FaultsModule: BusinessModule {
  /// The module's name.
  public let name = "Faults"
  private let faults: FaultMaker

  /// Creates the module.
  ///
  /// - Parameters:
  ///   - stranger: A dispatcher that doesn't trust the sample's own certificate authority.
  ///   - port: The port of the sample's server on this machine.
  public init(client: APIClient, stranger: some Dispatcher, port: Int) {
    faults = FaultMaker(client: client, stranger: stranger, port: port)
  }

  /// Declares the faults, which a guard of the module refuses unless the app allows them.
  public func declare(into table: inout RouteTable) {
    table.guarded(by: DemonstrationGuard())
    table.action(FaultRoute.self) { [faults] route, _ in try await faults.make(route.kind) }
  }
}
