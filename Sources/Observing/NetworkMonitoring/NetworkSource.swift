import Interception

/// Something that reports the state of the network to a ``NetworkMonitor``.
public protocol NetworkSource: Sendable {
  /// Returns the current state, if it is known, and then the state after each change.
  ///
  /// Each call returns a separate stream. Intermediate states may be skipped, and states may repeat. What
  /// the stream needs is released when its reader ends.
  ///
  /// - Throws: ``NetworkMonitorError`` if the network can't be monitored.
  func states() throws(NetworkMonitorError) -> AsyncStream<NetworkState>
}

/// The networks of the system: on Linux by netlink (RFC 3549), on Apple's platforms by `NWPathMonitor`.
///
/// On Linux a stream uses one thread, which sleeps while nothing changes, and three descriptors, which child
/// processes don't inherit. All are released when the stream's reader ends. No privilege is needed.
///
/// On other platforms ``states()`` throws ``NetworkMonitorError/unsupportedPlatform``; report the states of
/// the platform's monitor with a ``ManualNetworkSource`` there.
public struct SystemNetworkSource: NetworkSource {
  /// Creates a source.
  public init() {}

  /// Returns the current state, and the state after each change of a link, an address or a route.
  public func states() throws(NetworkMonitorError) -> AsyncStream<NetworkState> {
    #if os(Linux) && canImport(Glibc)
    try NetlinkReader.states(over: try NetlinkSocket.open())
    #elseif canImport(Network)
    PathMonitoring.states()
    #else
    throw .unsupportedPlatform
    #endif
  }
}

/// A source of states that the app sets: from another monitor of the platform, or in a test.
///
/// ```swift
/// let source = ManualNetworkSource(NetworkState(kind: .wifi))
/// let monitor = NetworkMonitor(source: source)
/// try monitor.start()
/// source.update(NetworkState(kind: .cellular))
/// ```
public final class ManualNetworkSource: NetworkSource {
  private let streams: Multicast<NetworkState>

  /// Creates a source with its first state; nil if it isn't known yet.
  public init(_ state: NetworkState? = nil) { streams = Multicast(startingWith: state) }

  /// Reports a state to every reader.
  public func update(_ state: NetworkState) { streams.send(state) }

  /// Returns the latest state, and then each state that is reported.
  public func states() throws(NetworkMonitorError) -> AsyncStream<NetworkState> { streams.values() }

  /// The number of active readers.
  var readerCount: Int { streams.readerCount }
}
