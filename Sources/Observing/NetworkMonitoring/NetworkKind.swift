/// The kind of network that new connections use.
public enum NetworkKind: Sendable, Hashable, CaseIterable {
  /// Not known: nothing was reported yet, monitoring has ended, or the platform can't be monitored.
  case unknown
  /// There is no network, and the loopback interface is down too.
  case none
  /// Only the loopback interface has an address, as on a device without a connection.
  case loopbackOnly
  /// Ethernet, also the virtual one of a container.
  case wired
  /// A wireless local network.
  case wifi
  /// A mobile network.
  case cellular
  /// Anything else that is up and has an address, such as a tunnel.
  case other
}
