public import APIManagers
public import Mediation
import MortgageRoutes

/// Calculates loans; a module without a screen, called by URL.
public struct MortgageModule: BusinessModule {
  /// The module's name.
  public let name = "Mortgage"
  private let host: HostApp

  /// Creates the module.
  public init(host: HostApp) { self.host = host }

  /// Declares the service.
  public func declare(into table: inout RouteTable) {
    table.action(MortgageQuoteRoute.self) { [host] route, _ in
      let offer = try LoanRequest(price: route.price, downPercent: route.downPercent, years: route.years)
      return try offer.quote(from: try await Rates(host: host).load())
    }
  }
}
