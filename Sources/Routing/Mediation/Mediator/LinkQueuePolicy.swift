import Synchronization

/// How external links wait until the app can show them.
///
/// Links may arrive before the app has a window. Each waits in its own call to `receive`; `Mediator.ready()`
/// opens them one after the other, in the order of arrival. While a link's guard asks the user for something,
/// such as a sign-in, the next link opens. Of several links that wait for the same answer, one is opened
/// afterwards, the latest unless the policy drops the newest.
public struct LinkQueuePolicy: Sendable, Hashable {
  /// Which link is dropped when the queue is full.
  package enum Overflow: Sendable, Hashable {
    /// The link that has waited longest: the user's latest action counts.
    case dropOldest
    /// The link that arrives: a new link cannot displace waiting ones.
    case dropNewest
  }

  /// The maximum number of waiting links; at least 1.
  package let limit: Int
  /// Which link is dropped when the queue is full; its `receive` throws `RouteError.linkDropped`.
  package let overflow: Overflow

  /// Creates the settings of the queue.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of waiting links; at least 1.
  ///   - dropsNewest: Whether a full queue drops the link that arrives, and not the one that has waited
  ///     longest; its `receive` throws `RouteError.linkDropped`.
  public init(limit: Int = 16, dropsNewest: Bool = false) {
    self.init(limit: limit, overflow: dropsNewest ? .dropNewest : .dropOldest)
  }

  package init(limit: Int = 16, overflow: Overflow) {
    self.limit = max(1, limit)
    self.overflow = overflow
  }
}
