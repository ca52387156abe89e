/// What a look-up finds before anything is made for a route.
public struct RouteLookUp: Sendable, Hashable {
  /// The number of the route in the order of declaration.
  public let route: Int
  /// How many segments of the path are captures.
  public let captures: Int
  /// The sum of the captures' lengths in bytes, percent-encoded as they stand.
  public let capturedBytes: Int
  /// How many nodes of the table were visited; never more than it has.
  public let visits: Int
}
