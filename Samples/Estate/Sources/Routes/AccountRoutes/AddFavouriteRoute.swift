public import Mediation

/// Adds a home to the favourites, or lets it wait until there is a network; for members only.
public struct AddFavouriteRoute: Route, Codable, Hashable {
  /// The result.
  public typealias Output = FavouriteReceipt
  /// The URLs of the service.
  public static let pattern: RoutePattern = "estate://favourites/add/{home:int}"

  /// The home's number.
  public var home: Int

  /// Creates the route.
  public init(home: Int) { self.home = home }
}
