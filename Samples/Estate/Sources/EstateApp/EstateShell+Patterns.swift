import AccountRoutes
import FaultsRoutes
import HomeDetailRoutes
import ListingsRoutes
import Mediation
import MortgageRoutes
import SettingsRoutes

extension EstateShell {
  /// The patterns of the routes that can be opened by URL.
  static var patterns: [RoutePattern] {
    [
      ListingsRoute.pattern, NextListingsRoute.pattern, SearchListingsRoute.pattern, OverviewRoute.pattern,
      HomeRoute.pattern, MortgageQuoteRoute.pattern, LoginRoute.pattern, LogoutRoute.pattern,
      ExpireSessionRoute.pattern, FavouritesRoute.pattern, AddFavouriteRoute.pattern, SettingsRoute.pattern,
      EnvironmentRoute.pattern, ServerRoute.pattern, NetworkRoute.pattern, DowngradeRoute.pattern,
      FaultRoute.pattern,
    ]
  }
}
