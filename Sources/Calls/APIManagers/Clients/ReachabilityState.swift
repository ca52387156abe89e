import Interception
import ObservedValues

/// The status of the network, as set by the app's network monitor, or by a test.
///
/// It rules out only requests that cannot succeed: while the status is ``NetworkStatus/unknown``, requests
/// are sent.
public final class ReachabilityState: Sendable {
  private let broadcast: Broadcast<NetworkStatus>
  private let observed: ObservedValue<NetworkStatus>

  /// Creates a state; by default ``NetworkStatus/unknown``, with which every request is sent.
  public init(_ status: NetworkStatus = .unknown) {
    broadcast = Broadcast(startingWith: status)
    observed = ObservedValue(status)
  }

  /// The current status.
  public var status: NetworkStatus { broadcast.latest ?? .unknown }

  /// The status to which a screen binds.
  ///
  /// `Observation` tracks it. It follows ``status`` on the main actor: a reader is notified there once,
  /// however often the status has changed meanwhile.
  @MainActor public var state: NetworkStatus { observed.value }

  /// The current status and every later one, until the state is released.
  ///
  /// Each access returns a separate stream. A slow reader misses intermediate values and receives the latest
  /// one.
  public var changes: AsyncStream<NetworkStatus> { broadcast.values() }

  /// The number of active streams of changes.
  var listenerCount: Int { broadcast.readerCount }

  /// Sets the status; listeners are notified only if it changed.
  public func update(_ status: NetworkStatus) {
    broadcast.update(status)
    // What another thread has set meanwhile is not replaced by this status.
    observed.update { $0 = self.status }
  }
}
