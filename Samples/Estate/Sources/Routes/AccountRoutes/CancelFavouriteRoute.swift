public import Mediation

/// Removes a favourite that still waits for the network; the result is whether it waited.
public struct CancelFavouriteRoute: Route, Codable, Hashable {
  /// The result.
  public typealias Output = Bool
  /// The URLs of the service.
  public static let pattern: RoutePattern = "estate://favourites/cancel/{home:int}"

  /// The home's number.
  public var home: Int

  /// Creates the route.
  public init(home: Int) { self.home = home }
}
