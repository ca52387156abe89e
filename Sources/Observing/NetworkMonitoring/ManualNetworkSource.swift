import Interception

/// A source of states that the app sets: from another monitor of the platform, or in a test.
///
/// ```swift
/// let source = ManualNetworkSource(NetworkState(kind: .wifi))
/// let monitor = NetworkMonitor(source: source)
/// try monitor.start()
/// source.update(NetworkState(kind: .cellular))
/// ```
public final class ManualNetworkSource: NetworkSource {
  private let streams: Broadcast<NetworkState>

  /// Creates a source with its first state; nil if it isn't known yet.
  public init(_ state: NetworkState? = nil) { streams = Broadcast(startingWith: state) }

  /// Reports a state to every reader.
  public func update(_ state: NetworkState) { streams.send(state) }

  /// Returns the latest state, and then each state that is reported.
  public func states() throws(NetworkMonitorError) -> AsyncStream<NetworkState> { streams.values() }

  /// The number of active readers.
  var readerCount: Int { streams.readerCount }
}
