public import Interception

/// The addresses of hosts, the app's own: where to connect without asking the system's DNS.
///
/// A name without a port stands for the scheme's own port, 80 or 443; `host:8443` stands for that port alone.
/// Hosts are compared exactly, without regard to case; there are no wildcards. An address may bring another
/// port to connect to.
///
/// ```swift
/// let table = try AddressTable(["api.estate.example": ["203.0.113.7", "[2001:db8::7]:8443"]])
/// ```
///
/// Certificates are still checked against the host's name, so that a forged table can delay requests, and not
/// read them, as long as they go by https.
public struct AddressTable: Sendable, Hashable {
  /// The most hosts of a table.
  public static let hostLimit = 1_024
  /// The most addresses of a host.
  public static let addressLimit = 64

  /// A table of no hosts.
  public static let empty = AddressTable(entries: [:])

  private let entries: [HostName: [ConnectTarget]]
  /// Whether any name has a port; mostly none has, and then none is looked for.
  private let havePorts: Bool

  private init(entries: [HostName: [ConnectTarget]]) {
    self.entries = entries
    havePorts = entries.keys.contains { $0.port != nil }
  }

  /// Makes a table of host names and their addresses, the ones to try first in front.
  ///
  /// - Parameter scopes: Ranges that are refused otherwise; `[.loopback]` for a server on this machine.
  /// - Throws: ``AddressTableIssue``, which lists every fault; a table is taken whole or not at all.
  public init(_ hosts: [String: [String]], allowing scopes: Set<AddressScope> = []) throws(AddressTableIssue)
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
      entries[host] = Self.targets(addresses, of: name, allowing: scopes, faults: &faults)
    }
    guard faults.isEmpty else { throw AddressTableIssue(faults: faults) }
    self.init(entries: entries)
  }

  /// The names of the hosts, with their ports where they have one, sorted.
  public var hosts: [String] { entries.keys.map(\.description).sorted() }

  /// Returns the addresses of a URL's host, none where the table doesn't know it.
  ///
  /// - Parameters:
  ///   - authority: Host and perhaps port, as a request has them.
  ///   - scheme: `https` or `http`; its port counts where the authority has none.
  public func addresses(for authority: String, scheme: String) -> [ConnectTarget] {
    name(for: authority, scheme: scheme).flatMap { entries[$0] } ?? []
  }

  /// The table's own name for a URL's host; nil where it doesn't know it.
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
    guard port == standard else { return nil }
    let general = HostName(host: asked.host, port: nil)
    return entries.index(forKey: general) != nil ? general : nil
  }

  func addresses(of name: HostName) -> [ConnectTarget] { entries[name] ?? [] }

  private static func targets(
    _ addresses: [String], of host: String, allowing scopes: Set<AddressScope>,
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
      guard let (address, port) = parsed(text) else {
        faults.append(.invalidAddress(text, of: host))
        continue
      }
      if let scope = address.scope, !scopes.contains(scope) {
        faults.append(.refusedAddress(text, of: host, scope))
      }
      let target = ConnectTarget(address: "\(address)", port: port)
      if targets.contains(target) { faults.append(.repeatedAddress(text, of: host)) }
      targets.append(target)
    }
    return targets
  }

  /// Reads `1.2.3.4`, `1.2.3.4:80`, `::1` or `[::1]:80`.
  private static func parsed(_ text: String) -> (IPAddress, port: Int?)? {
    if let address = IPAddress(text) { return (address, nil) }
    if text.hasPrefix("[") {
      let parts = text.dropFirst().split(separator: "]", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let address = IPAddress(parts[0]), address.isVersion6 else {
        return nil
      }
      if parts[1].isEmpty { return (address, nil) }
      guard parts[1].hasPrefix(":"), let port = AuthoritySyntax.port(parts[1].dropFirst()) else { return nil }
      return (address, port)
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let address = IPAddress(parts[0]), let port = AuthoritySyntax.port(parts[1])
    else {
      return nil
    }
    return (address, port)
  }
}
