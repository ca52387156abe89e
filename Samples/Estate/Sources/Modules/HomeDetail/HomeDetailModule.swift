package import APIManagers
package import AccountRoutes
package import EstateContract
package import FeatureFlags
import HomeDetailRoutes
import ListingsRoutes
package import Mediation
import MortgageRoutes
import Navigation

/// Shows one home with the price of a loan for it, and several homes side by side.
package struct HomeDetailModule: BusinessModule {
  package let name = "HomeDetail"
  /// A module that quotes loans, and one with the list below a home; a missing one is found when the app
  /// starts.
  package var needs: [ModuleNeed] {
    // The lists may be launched later: they are opened by URL only when a home is.
    [
      .provider((any MortgageQuoting).self), .route(MortgageQuoteRoute.self),
      .route(ListingsRoute.self).unordered,
    ]
  }
  private let client: APIClient
  private let marks: (any FavouriteMarking)?
  private let notes: (any NoteKeeping)?
  private let data: KeptData?
  private let flags: DeployedFlags

  /// Creates the module.
  ///
  /// - Parameters:
  ///   - data: Keeps which homes were compared last.
  package init(
    client: APIClient, marks: (any FavouriteMarking)? = nil, notes: (any NoteKeeping)? = nil,
    data: KeptData? = nil, flags: DeployedFlags
  ) {
    self.client = client
    self.marks = marks
    self.notes = notes
    self.data = data
    self.flags = flags
  }

  /// Declares the screens of one home and of several.
  package func declare(into table: inout RouteTable) {
    let compared = ComparedHomes(data: data)
    table.screen(HomeRoute.self) { [client, marks, notes, flags] route, context in
      let loaded = try await Homes(client: client).home(route.id)
      let home = loaded.home
      // By URL, because this module does not know which one answers.
      let quote = try await context.open(
        "estate://mortgage/quote?price=\(home.price)&years=30", returning: MortgageQuote.self)
      // By type, because several answers are needed.
      let offers = try await context.provider((any MortgageQuoting).self)
      let quotes = try await offers.quotes(price: home.price, downPercent: 20)
      // A server that was just asked in vain is not asked again.
      let similar =
        loaded.copy?.isOfFailure == true ? [] : await SimilarHomes(client: client).homes(like: home)
      return HomeScreen(
        loaded, quote: quote, others: quotes.filter { $0.years != quote.years }, similar: similar,
        marks: marks, written: await notes?.notes(about: route.id) ?? [], compared: await compared.last(),
        priceLabel: flags[HomeFlags.priceLabel])
    }
    table.screen(CompareRoute.self) { [client] route, _ in
      let numbers = route.homes.numbers
      let homes = try await Homes(client: client).homes(numbers)
      // If the user left, each load failed because it was cancelled.
      try Task.checkCancellation()
      await compared.keep(numbers)
      return CompareScreen(numbers, homes)
    }
  }
}
