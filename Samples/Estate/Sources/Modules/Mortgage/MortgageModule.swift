package import APIManagers
package import Mediation
import MortgageRoutes

/// Calculates loans; a module without a screen, called by URL or by the type of its provider.
package struct MortgageModule: BusinessModule {
  package let name = "Mortgage"
  private let client: APIClient

  package init(client: APIClient) { self.client = client }

  /// Declares the provider and the route, which are both created at their first use.
  package func declare(into table: inout RouteTable) {
    table.provide((any MortgageQuoting).self, lifetime: .untilMemoryWarning) { [client] _ in
      LoanOffers(rates: await Rates(client: client))
    }
    table.lazy(MortgageQuoteRoute.self) { context in
      let offers = try await context.provider((any MortgageQuoting).self)
      return { route, _ in
        try await offers.quote(price: route.price, downPercent: route.downPercent, years: route.years)
      }
    }
  }
}
