/// How links from outside wait until the app can show them.
///
/// Links may arrive before the app has a window. Each waits in its own `receive`; `Mediator.ready()` opens
/// them in the order of their arrival, one after the other.
public struct LinkQueueing: Sendable, Hashable {
  /// Which link gives way when too many wait.
  public enum Overflow: Sendable, Hashable {
    /// The one that has waited longest: the user's latest wish counts.
    case dropOldest
    /// The one that arrives: nobody can push out what waits.
    case dropNewest
  }

  /// So many links wait at most; at least 1.
  public let limit: Int
  /// Which link gives way when one more arrives; its `receive` throws `RouteError.linkDropped`.
  public let overflow: Overflow

  /// Sets the bounds of the queue.
  public init(limit: Int = 16, overflow: Overflow = .dropOldest) {
    self.limit = max(1, limit)
    self.overflow = overflow
  }
}
