/// The networks of the system: on Linux by netlink (RFC 3549), on Apple's platforms by `NWPathMonitor`.
///
/// On Linux a stream uses one thread, which sleeps while nothing changes, and three descriptors, which child
/// processes don't inherit. All are released when the stream's reader ends. No privilege is needed.
///
/// On other platforms ``states()`` throws ``NetworkMonitorError``; report the states of
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
