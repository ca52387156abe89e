/// Every fault of an address table that was refused, all at once.
public struct AddressTableIssue: Error, Sendable, Hashable {
  /// One fault, with the host and the address concerned.
  public enum Fault: Sendable, Hashable {
    /// The table has more hosts than ``AddressTable/hostLimit``.
    case tooManyHosts(Int)
    /// A name is not one of a host, with or without a port.
    case invalidHost(String)
    /// A name differs from another one by case only.
    case repeatedHost(String)
    /// A host has no address.
    case noAddresses(String)
    /// A host has more addresses than ``AddressTable/addressLimit``.
    case tooManyAddresses(String, count: Int)
    /// A text is no IPv4 or IPv6 address, with or without a port.
    case invalidAddress(String, of: String)
    /// A host has the same address twice.
    case repeatedAddress(String, of: String)
    /// An address is of a range that was not allowed.
    case refusedAddress(String, of: String, AddressScope)
  }

  /// The faults, sorted by host.
  public let faults: [Fault]
}

extension AddressTableIssue: CustomStringConvertible {
  /// One sentence a fault, with the remedy.
  public var description: String { faults.map(\.description).joined(separator: "\n") }
}

extension AddressTableIssue.Fault: CustomStringConvertible {
  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .tooManyHosts(let count):
      "The table has \(count) hosts and may have \(AddressTable.hostLimit); leave some to the system's DNS."
    case .invalidHost(let host):
      "\"\(Self.short(host))\" is not a host's name; write api.example.com or api.example.com:8443."
    case .repeatedHost(let host): "\(host) is in the table twice; case doesn't matter, so join the entries."
    case .noAddresses(let host): "\(host) has no address; give it one, or take it out of the table."
    case .tooManyAddresses(let host, let count):
      "\(host) has \(count) addresses and may have \(AddressTable.addressLimit); keep the nearest ones."
    case .invalidAddress(let address, let host):
      "\"\(Self.short(address))\", listed for \(host), is not an IP address; write 203.0.113.7, 203.0.113.7:8443, "
        + "2001:db8::7 or [2001:db8::7]:8443."
    case .repeatedAddress(let address, let host): "\(address) is listed for \(host) twice; remove one."
    case .refusedAddress(let address, let host, let scope):
      "\(address), listed for \(host), is of the range \(scope.rawValue), where no server on the Internet is; "
        + "remove it, or allow .\(scope.rawValue)."
    }
  }

  // The text may come from a list that somebody else wrote.
  private static func short(_ text: String) -> String { text.utf8.count > 64 ? text.prefix(64) + "…" : text }
}
