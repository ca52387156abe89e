public import Mediation

/// Adds a home to the favourites and returns their number; for members only.
public struct AddFavouriteRoute: Route, Codable, Hashable {
  /// The result.
  public typealias Output = Int
  /// The URLs of the service.
  public static let pattern: RoutePattern = "estate://favourites/add/{home:int}"

  /// The home's number.
  public var home: Int

  /// Creates the route.
  public init(home: Int) { self.home = home }
}
