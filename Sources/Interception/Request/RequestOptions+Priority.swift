extension RequestOptions {
  /// The priority of a request among those that wait for the same connections.
  public struct Priority: Sendable, Hashable, Comparable {
    /// The weight, 1 to 256, which HTTP/2 sends as the stream's weight.
    public let weight: Int

    /// Creates a priority from a weight, clamped to 1 to 256.
    public init(weight: Int) { self.weight = min(max(weight, 1), 256) }

    /// For prefetching and other work that no user waits for.
    public static let low = Priority(weight: 4)
    /// For the content of a screen; the default.
    public static let normal = Priority(weight: 16)
    /// For requests that the user is waiting for.
    public static let high = Priority(weight: 128)

    /// Whether one priority is lower than another.
    public static func < (left: Priority, right: Priority) -> Bool { left.weight < right.weight }
  }
}
