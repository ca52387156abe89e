public import APIManagers
import HomeDetailRoutes
public import Mediation
import MortgageRoutes
import Navigation

/// One home, with what a loan for it would cost.
public struct HomeDetailModule: BusinessModule {
  /// The module's name.
  public let name = "HomeDetail"
  private let client: APIClient

  /// Makes the module.
  public init(client: APIClient) { self.client = client }

  /// Declares the home's screen.
  public func declare(into table: inout RouteTable) {
    table.screen(HomeRoute.self) { [client] route, context in
      let home = try await Homes(client: client).home(route.id)
      // The loan's cost is asked for by URL: nothing here knows which module answers.
      let quote = try await context.open(
        "estate://mortgage/quote?price=\(home.price)&years=30", returning: MortgageQuote.self)
      return HomeScreen(home: home, quote: quote)
    }
  }
}
