package import Interception

/// The app's own list of addresses per host, used to connect without asking the system's DNS.
///
/// A name without a port applies to every port of the host; `host:8443` applies to that port only, and takes
/// precedence there. Hosts are compared exactly, ignoring case and a dot at the end; there are no wildcards.
/// An address without a port is connected to at the URL's port; an address with a port at its own port. A
/// link-local IPv6 address may name its zone: `fe80::1%eth0`.
///
/// ```swift
/// // The addresses of examples are for documentation; those of servers need no `allowing:`.
/// let table = try AddressTable(
///   ["api.estate.example": ["203.0.113.7", "[2001:db8::7]:8443"]], allowing: [.documentation])
/// ```
///
/// Certificates are still verified against the host name, so a forged table can delay requests but not read
/// them, provided they use HTTPS.
public struct AddressTable: Sendable, Hashable {
  /// The maximum number of hosts in a table.
  package static let hostLimit = 1_024
  /// The maximum number of addresses per host.
  package static let addressLimit = 64

  /// A table without hosts.
  public static let empty = AddressTable(entries: [:])

  private let entries: [HostName: [ConnectTarget]]
  /// Whether any name has a port; usually none has, which saves a lookup.
  private let havePorts: Bool

  private init(entries: [HostName: [ConnectTarget]]) {
    self.entries = entries
    havePorts = entries.keys.contains { $0.port != nil }
  }

  /// Creates a table of host names and their addresses, in the order in which they are tried first.
  ///
  /// - Parameter ranges: Ranges that are allowed in addition to public addresses; `[.loopback]` for a local
  ///   server.
  /// - Throws: ``AddressTableIssue``, which lists every fault; no part of a faulty table is used.
  public init(_ hosts: [String: [String]], allowing ranges: Set<SpecialAddressRange> = [])
    throws(AddressTableIssue)
  {
    guard hosts.count <= Self.hostLimit else {
      throw AddressTableIssue(faults: [.tooManyHosts(hosts.count)])
    }
    var entries: [HostName: [ConnectTarget]] = [:]
    var faults: [AddressTableIssue.Fault] = []
    for (name, addresses) in hosts.sorted(by: { $0.key < $1.key }) {
      guard let host = HostName(name) else {
        faults.append(.invalidHost(name))
        continue
      }
      if entries[host] != nil { faults.append(.repeatedHost(name)) }
      entries[host] = Self.targets(addresses, of: name, allowing: ranges, faults: &faults)
    }
    guard faults.isEmpty else { throw AddressTableIssue(faults: faults) }
    self.init(entries: entries)
  }

  /// The names of the hosts, sorted, with their ports where given.
  package var hosts: [String] { entries.keys.map(\.description).sorted() }

  /// Returns the addresses of a URL's host; empty if the table doesn't contain it.
  ///
  /// - Parameters:
  ///   - authority: The host with an optional port, as in a request.
  ///   - scheme: `https` or `http`; it supplies the port if the authority has none.
  package func addresses(for authority: String, scheme: String) -> [ConnectTarget] {
    name(for: authority, scheme: scheme).map { addresses(of: $0) } ?? []
  }

  /// The host and port of a URL if the table has addresses for them, or nil.
  ///
  /// The port is nil if it is the scheme's default and the table has no entry for it. Each other port has a
  /// name of its own, so that a closed port does not affect the host's other ports.
  func name(for authority: String, scheme: String) -> HostName? {
    guard let asked = HostName(authority: authority) else { return nil }
    let standard: Int
    switch scheme {
    case "https": standard = 443
    case "http": standard = 80
    default:
      let lowercased = scheme.lowercased()
      return lowercased == scheme ? nil : name(for: authority, scheme: lowercased)
    }
    let port = asked.port ?? standard
    if havePorts {
      let exact = HostName(host: asked.host, port: port)
      if entries.index(forKey: exact) != nil { return exact }
    }
    let general = HostName(host: asked.host, port: nil)
    guard entries.index(forKey: general) != nil else { return nil }
    return port == standard ? general : HostName(host: asked.host, port: port)
  }

  func addresses(of name: HostName) -> [ConnectTarget] {
    entries[name] ?? entries[HostName(host: name.host, port: nil)] ?? []
  }

  private static func targets(
    _ addresses: [String], of host: String, allowing ranges: Set<SpecialAddressRange>,
    faults: inout [AddressTableIssue.Fault]
  ) -> [ConnectTarget] {
    guard !addresses.isEmpty else {
      faults.append(.noAddresses(host))
      return []
    }
    guard addresses.count <= addressLimit else {
      faults.append(.tooManyAddresses(host, count: addresses.count))
      return []
    }
    var targets: [ConnectTarget] = []
    for text in addresses {
      let (address, port): (ScopedAddress, Int?)
      do throws(ScopedAddress.Fault) { (address, port) = try parsed(text) } catch {
        faults.append(
          error == .noAddress ? .invalidAddress(text, of: host) : .invalidZone(text, of: host))
        continue
      }
      if let range = address.address.specialRange, !ranges.contains(range) {
        faults.append(.refusedAddress(text, of: host, range))
      }
      let target = ConnectTarget(address: "\(address)", port: port)
      if targets.contains(target) { faults.append(.repeatedAddress(text, of: host)) }
      targets.append(target)
    }
    return targets
  }

  /// Parses `1.2.3.4`, `1.2.3.4:80`, `::1` or `[::1]:80`, each with the zone of a link-local address.
  private static func parsed(
    _ text: String
  ) throws(ScopedAddress.Fault) -> (ScopedAddress, port: Int?) {
    guard text.hasPrefix("[") else {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2 else { return (try ScopedAddress(text), nil) }
      guard let port = AuthoritySyntax.port(parts[1]) else { throw .noAddress }
      return (try ScopedAddress(parts[0]), port)
    }
    let parts = text.dropFirst().split(separator: "]", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw .noAddress }
    let address = try ScopedAddress(parts[0])
    guard address.address.isVersion6 else { throw .noAddress }
    if parts[1].isEmpty { return (address, nil) }
    guard parts[1].hasPrefix(":"), let port = AuthoritySyntax.port(parts[1].dropFirst()) else {
      throw .noAddress
    }
    return (address, port)
  }
}

extension IPAddress {
  /// The range that makes the address unusable on the Internet, or nil for a public address.
  var specialRange: SpecialAddressRange? {
    switch specialPurpose {
    case .loopback: .loopback
    case .linkLocal: .linkLocal
    case .private: .private
    case .multicast: .multicast
    case .documentation: .documentation
    case .reserved: .reserved
    case nil: nil
    }
  }
}
