public import APIManagers
import HomeDetailRoutes
public import Mediation
import MortgageRoutes
import Navigation

/// Shows one home with the price of a loan for it.
public struct HomeDetailModule: BusinessModule {
  /// The module's name.
  public let name = "HomeDetail"
  private let host: HostApp

  /// Creates the module.
  public init(host: HostApp) { self.host = host }

  /// Declares the home's screen.
  public func declare(into table: inout RouteTable) {
    table.screen(HomeRoute.self) { [host] route, context in
      let home = try await Homes(host: host).home(route.id)
      // By URL, because this module does not know which one answers.
      let quote = try await context.open(
        "estate://mortgage/quote?price=\(home.price)&years=30", returning: MortgageQuote.self)
      return HomeScreen(home: home, quote: quote)
    }
  }
}
