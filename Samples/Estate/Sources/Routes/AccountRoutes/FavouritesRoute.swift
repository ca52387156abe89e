public import Mediation

/// The screen of the user's favourites; for members only.
public struct FavouritesRoute: ParameterlessRoute, Hashable {
  /// The URL of the favourites.
  public static let pattern: RoutePattern = "estate://favourites"
  /// Open to links; the guard checks the membership.
  public static let exposure = Exposure.link([.scheme("estate"), .web(host: "127.0.0.1")])

  /// Creates the route.
  public init() {}
}
