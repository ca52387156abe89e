/// The state of the device's network at one time.
///
/// Two states differ if connections that were opened in one of them may be useless in the other: after a
/// change of the addresses or of the gateways, even if the kind of network is the same.
public struct NetworkState: Sendable, Hashable {
  /// The kind of the interface with the preferred default route; without a default route, that of the first
  /// interface.
  public let kind: NetworkKind
  /// The interfaces that are up, have an address and a default route, sorted by name.
  ///
  /// Without any default route, all that are up and have an address, without the loopback interface.
  public let interfaces: [NetworkInterface]
  /// The addresses of the default routes' gateways, sorted.
  public let gateways: [String]

  /// A state about which nothing is known.
  public static let unknown = NetworkState(kind: .unknown)

  /// Creates a state, for a source that the app implements or a test.
  public init(kind: NetworkKind, interfaces: [NetworkInterface] = [], gateways: [String] = []) {
    self.kind = kind
    self.interfaces = interfaces
    self.gateways = gateways
  }

  /// Whether there is a network other than the loopback interface; nil if it isn't known.
  ///
  /// A network isn't necessarily connected to the Internet, so a request may still fail.
  package var isOnline: Bool? {
    switch kind {
    case .unknown: nil
    case .none, .loopbackOnly: false
    case .wired, .wifi, .cellular, .other: true
    }
  }
}
