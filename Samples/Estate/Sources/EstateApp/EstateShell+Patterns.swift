import AccountRoutes
import FaultsRoutes
import HomeDetailRoutes
import ListingsRoutes
import Mediation
import MortgageRoutes

extension EstateShell {
  /// The patterns of the routes that can be opened by URL.
  static var patterns: [RoutePattern] {
    [
      ListingsRoute.pattern, NextListingsRoute.pattern, HomeRoute.pattern, MortgageQuoteRoute.pattern,
      LoginRoute.pattern, LogoutRoute.pattern, FavouritesRoute.pattern, AddFavouriteRoute.pattern,
      FaultRoute.pattern,
    ]
  }
}
