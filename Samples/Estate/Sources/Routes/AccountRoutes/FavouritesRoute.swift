public import Mediation

/// The screen of the homes that the user marked; for members only.
public struct FavouritesRoute: ParameterlessRoute, Hashable {
  /// The URL of the favourites.
  public static let pattern: RoutePattern = "estate://favourites"
  /// A link may ask for them; the guard decides.
  public static let exposure = Exposure.link([.scheme("estate")])

  /// Makes the route.
  public init() {}
}
