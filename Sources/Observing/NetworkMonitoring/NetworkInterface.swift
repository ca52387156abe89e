/// A network interface that is up and has at least one usable address.
public struct NetworkInterface: Sendable, Hashable {
  /// The name, such as `eth0`.
  public let name: String
  /// The kind of network that the interface belongs to.
  public let kind: NetworkKind
  /// The addresses, sorted, without link-local ones.
  public let addresses: [String]

  /// Creates an interface.
  public init(name: String, kind: NetworkKind, addresses: [String]) {
    self.name = name
    self.kind = kind
    self.addresses = addresses
  }
}
