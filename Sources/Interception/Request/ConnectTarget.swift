/// An address to connect to in place of a URL's host; name, SNI, `Host` and certificate check stay the URL's.
public struct ConnectTarget: Sendable, Hashable, CustomStringConvertible {
  /// An IPv4 or IPv6 address, without brackets.
  public let address: String
  /// The port, or nil for the URL's own.
  public let port: Int?

  /// Makes a target of an address.
  public init(address: String, port: Int? = nil) {
    self.address = address
    self.port = port
  }

  /// Address and port, with an IPv6 address in brackets.
  public var description: String {
    let host = address.contains(":") ? "[\(address)]" : address
    return port.map { "\(host):\($0)" } ?? host
  }
}
