public import Interception

/// Every fault of a refused address table.
public struct AddressTableIssue: Error, LoggableError, Sendable, Hashable {
  /// One fault, with the host and the address concerned.
  package enum Fault: Sendable, Hashable {
    /// The table has more hosts than `AddressTable.hostLimit`.
    case tooManyHosts(Int)
    /// A name is not a host name with an optional port.
    case invalidHost(String)
    /// A name differs from another one only in case, or by a dot at the end.
    case repeatedHost(String)
    /// A host has no address.
    case noAddresses(String)
    /// A host has more addresses than `AddressTable.addressLimit`.
    case tooManyAddresses(String, count: Int)
    /// A text is not an IPv4 or IPv6 address with an optional port.
    case invalidAddress(String, of: String)
    /// A text is an address with a malformed zone, or one that is not link-local with a zone.
    case invalidZone(String, of: String)
    /// A host has the same address twice.
    case repeatedAddress(String, of: String)
    /// An address belongs to a range that isn't allowed.
    case refusedAddress(String, of: String, SpecialAddressRange)
  }

  /// The faults, sorted by host.
  package let faults: [Fault]
}

extension AddressTableIssue: CustomStringConvertible {
  /// One sentence per fault, with the remedy.
  public var description: String { faults.map(\.description).joined(separator: "\n") }
}

extension AddressTableIssue.Fault: CustomStringConvertible {
  /// What is wrong, and what to do.
  package var description: String {
    switch self {
    case .tooManyHosts(let count):
      "The table has \(count) hosts, of at most \(AddressTable.hostLimit); leave some to the system's DNS."
    case .invalidHost(let host):
      "\"\(Self.short(host))\" is not a host name; write api.example.com or api.example.com:8443."
    case .repeatedHost(let host): "\(host) is in the table twice; names ignore case, so merge the entries."
    case .noAddresses(let host): "\(host) has no address; add one, or remove the host from the table."
    case .tooManyAddresses(let host, let count):
      "\(host) has \(count) addresses, of at most \(AddressTable.addressLimit); keep the nearest ones."
    case .invalidAddress(let address, let host):
      "\"\(Self.short(address))\", listed for \(host), is not an IP address; write 203.0.113.7, 203.0.113.7:8443, "
        + "2001:db8::7 or [2001:db8::7]:8443."
    case .invalidZone(let address, let host):
      "\"\(Self.short(address))\", listed for \(host), has a zone that cannot be used; write the name of an interface, "
        + "as in fe80::1%eth0, for link-local IPv6 addresses only."
    case .repeatedAddress(let address, let host): "\(address) is listed for \(host) twice; remove one."
    case .refusedAddress(let address, let host, let range):
      "\(address), listed for \(host), is in the range \(range.rawValue), which has no servers on the Internet; "
        + "remove it, or allow .\(range.rawValue)."
    }
  }

  /// The name that the table has for the host at fault; nil if the fault concerns the table as a whole.
  package var host: String? {
    switch self {
    case .tooManyHosts: nil
    case .invalidHost(let host), .repeatedHost(let host), .noAddresses(let host),
      .tooManyAddresses(let host, _), .invalidAddress(_, let host), .invalidZone(_, let host),
      .repeatedAddress(_, let host), .refusedAddress(_, let host, _):
      host
    }
  }

  // The text may come from an untrusted list.
  private static func short(_ text: String) -> String { text.utf8.count > 64 ? text.prefix(64) + "…" : text }
}
