/// The result of a look-up.
public struct RouteLookUp: Sendable, Hashable {
  /// The index of the route in declaration order.
  public let route: Int
  /// The number of path segments that are captured.
  public let captures: Int
  /// The total length of the captured segments in bytes, as encoded in the URL.
  public let capturedBytes: Int
  /// The number of visited nodes of the table; each node is visited at most once.
  public let visits: Int
}
