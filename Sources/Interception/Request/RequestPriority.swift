/// The precedence of a request among those that wait for the same connections.
public struct RequestPriority: Sendable, Hashable, Comparable {
  /// The weight, 1 to 256; HTTP/2 sends it as the stream's weight.
  public let weight: Int

  /// Makes a priority of a weight; values outside 1 to 256 are clamped.
  public init(weight: Int) { self.weight = min(max(weight, 1), 256) }

  /// Prefetching, and what nobody waits for.
  public static let low = RequestPriority(weight: 4)
  /// What a screen shows.
  public static let normal = RequestPriority(weight: 16)
  /// What a person waits for right now.
  public static let high = RequestPriority(weight: 128)

  /// Whether one priority yields to another one.
  public static func < (left: RequestPriority, right: RequestPriority) -> Bool { left.weight < right.weight }
}
