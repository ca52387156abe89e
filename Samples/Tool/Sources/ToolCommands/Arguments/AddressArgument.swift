public import DNSBypass

/// The addresses of a host, which are used instead of those of the system's DNS.
///
/// It is `HOST:ADDRESS`, with further addresses after commas; the first one that connects is used. An address
/// may have a port. curl's form `HOST:PORT:ADDRESS`, for one port of the host, is understood too.
public struct AddressArgument: Sendable, Hashable {
  /// The host, with the port if the addresses are for one port only.
  public let host: String
  /// The addresses.
  public let addresses: [String]

  /// Parses an argument.
  ///
  /// - Throws: ``ToolFailure`` with ``ExitStatus/usage``.
  public init(_ text: String) throws(ToolFailure) {
    let form = "HOST:ADDRESS[,ADDRESS…], such as api.example.com:203.0.113.7"
    guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else {
      throw ToolFailure(.usage, "--resolve needs \(form), not \"\(Printable.text(text))\".")
    }
    let host = String(text[..<colon])
    let rest = text[text.index(after: colon)...]
    var candidates = [(host, Self.list(rest))]
    // An IPv6 address may begin with digits and a colon, too: the form without a port is tried first.
    if let second = rest.firstIndex(of: ":"), UInt16(rest[..<second]) != nil {
      candidates.append(("\(host):\(rest[..<second])", Self.list(rest[rest.index(after: second)...])))
    }
    for (name, addresses) in candidates where (try? Self.table([name: addresses])) != nil {
      (self.host, self.addresses) = (name, addresses)
      return
    }
    throw ToolFailure(.usage, "--resolve needs \(form), with IP addresses, not \"\(Printable.text(text))\".")
  }

  /// Returns the table of several arguments; addresses of one host are tried in their order.
  ///
  /// - Throws: ``ToolFailure`` with ``ExitStatus/usage``.
  public static func table(of arguments: [AddressArgument]) throws(ToolFailure) -> AddressTable {
    var hosts: [String: [String]] = [:]
    for argument in arguments { hosts[argument.host, default: []] += argument.addresses }
    do throws(AddressTableIssue) { return try table(hosts) } catch {
      throw ToolFailure(.usage, "--resolve: \(Printable.text("\(error)"))")
    }
  }

  /// Who writes a command line may choose every address.
  private static func table(_ hosts: [String: [String]]) throws(AddressTableIssue) -> AddressTable {
    try AddressTable(hosts, allowing: Set(SpecialAddressRange.allCases))
  }

  private static func list(_ text: Substring) -> [String] {
    text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }
}
