package struct ServerAddress: Sendable, Hashable {
  package let address: String
  /// The mean time to connect to it; `nil` before the first connection.
  package let connectTime: Duration?
  package let failures: Int
  /// The time for which it is not used after failures; `nil` if it is used.
  package let pause: Duration?

  package init(address: String, connectTime: Duration?, failures: Int = 0, pause: Duration? = nil) {
    self.address = address
    self.connectTime = connectTime
    self.failures = failures
    self.pause = pause
  }
}

/// What is known about the addresses of the server.
package protocol KnownServerAddresses: Sendable {
  /// What is known of the machine's network, in a line.
  var networkLine: String { get }

  /// What is known about each address of a host, those that were tried first at the beginning before the
  /// others; nothing before the first use of the host.
  func statuses(of authority: String) -> [ServerAddress]
}
