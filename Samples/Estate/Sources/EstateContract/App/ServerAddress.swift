/// What is known about one address of the server.
public struct ServerAddress: Sendable, Hashable {
  /// The address and the port.
  public let address: String
  /// The mean time to connect to it; `nil` before the first connection.
  public let connectTime: Duration?
  /// The number of failures in a row.
  public let failures: Int
  /// The time for which it is not used after failures; `nil` if it is used.
  public let pause: Duration?

  /// Creates what is known about an address.
  public init(address: String, connectTime: Duration?, failures: Int = 0, pause: Duration? = nil) {
    self.address = address
    self.connectTime = connectTime
    self.failures = failures
    self.pause = pause
  }
}

/// What is known about the addresses of the server.
public protocol KnownServerAddresses: Sendable {
  /// What is known of the machine's network, in a line.
  var networkLine: String { get }

  /// What is known about each address of a host, those that were tried first at the beginning before the
  /// others; nothing before the first use of the host.
  func statuses(of authority: String) -> [ServerAddress]
}
