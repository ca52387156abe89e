public import Mediation

/// Marks a home: answers how many are marked; for members only.
public struct AddFavouriteRoute: Route, Hashable {
  /// What the service answers.
  public typealias Output = Int
  /// The URLs of the service.
  public static let pattern: RoutePattern = "estate://favourites/add/{home:int}"

  /// The home's number.
  public var home: Int

  /// Marks a home.
  public init(home: Int) { self.home = home }

  /// Reads the route from a URL.
  public init(from input: RouteInput) throws(RouteError) { home = try input.value("home") }

  /// Writes the route's parameters.
  public func write(to output: inout RouteOutput) { output.set("home", to: home) }
}
