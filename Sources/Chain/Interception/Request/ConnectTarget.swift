/// An address to connect to instead of the URL's host; name, SNI, `Host` and certificate check remain the
/// URL's.
public struct ConnectTarget: Sendable, Hashable, CustomStringConvertible {
  /// An IPv4 or IPv6 address, without brackets; a link-local one with its zone, as in `fe80::1%eth0`.
  public let address: String
  /// The port, or nil for the URL's port.
  public let port: Int?

  /// Creates a target from an address.
  public init(address: String, port: Int? = nil) {
    self.address = address
    self.port = port
  }

  /// The address and port, with an IPv6 address in brackets.
  public var description: String {
    let host = address.utf8.contains(UInt8(ascii: ":")) ? "[\(address)]" : address
    return port.map { "\(host):\($0)" } ?? host
  }
}
