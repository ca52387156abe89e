import Interception

/// The status of the network, as set by the app's network monitor, or by a test.
///
/// It rules out only requests that cannot succeed: while the status is ``NetworkStatus/unknown``, requests
/// are sent.
public final class ReachabilityState: Sendable {
  private let broadcast: Broadcast<NetworkStatus>

  /// Creates a state; by default ``NetworkStatus/unknown``, with which every request is sent.
  public init(_ status: NetworkStatus = .unknown) { broadcast = Broadcast(startingWith: status) }

  /// The current status.
  public var status: NetworkStatus { broadcast.latest ?? .unknown }

  /// The current status and every later one, until the state is released.
  ///
  /// Each access returns a separate stream. A slow reader misses intermediate values and receives the latest
  /// one.
  public var changes: AsyncStream<NetworkStatus> { broadcast.values() }

  /// The number of active streams of changes.
  var listenerCount: Int { broadcast.readerCount }

  /// Sets the status; listeners are notified only if it changed.
  public func update(_ status: NetworkStatus) { broadcast.update(status) }
}
