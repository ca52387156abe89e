public import APIManagers
import FaultsRoutes
public import Interception
public import Mediation

/// Does what must fail, to show what each failure looks like.
public struct FaultsModule: BusinessModule {
  /// The module's name.
  public let name = "Faults"
  private let faults: FaultMaker

  /// Makes the module.
  ///
  /// - Parameters:
  ///   - stranger: A dispatcher that doesn't trust the sample's own certificate authority.
  ///   - port: The port of the sample's server on this machine.
  public init(client: APIClient, stranger: some Dispatcher, port: Int) {
    faults = FaultMaker(client: client, stranger: stranger, port: port)
  }

  /// Declares the faults.
  public func declare(into table: inout RouteTable) {
    table.action(FaultRoute.self) { [faults] route, _ in try await faults.make(route.kind) }
  }
}
