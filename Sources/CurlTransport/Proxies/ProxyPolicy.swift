import Interception

/// Which requests go through a proxy.
///
/// Variables such as `http_proxy` and `no_proxy` are ignored, unless the policy is made of them by
/// ``environment(_:)``. If a request goes through a proxy, the `connectTarget` of its context is ignored,
/// because the proxy looks up the name, and the report's remote address is the proxy's.
public struct ProxyPolicy: Sendable, Hashable {
  /// A proxy for some requests, in place of ``ProxyPolicy/proxy``.
  public struct Rule: Sendable, Hashable {
    /// The hosts, as in ``ProxyPolicy/exceptions``; `*` for all.
    public var hosts: [String]
    /// The scheme, `http` or `https`; nil for both.
    public var scheme: String?
    /// The proxy; nil connects directly.
    public var proxy: Proxy?

    /// Creates a rule.
    public init(_ proxy: Proxy?, for hosts: [String] = ["*"], scheme: String? = nil) {
      self.hosts = hosts
      self.scheme = scheme?.lowercased()
      self.proxy = proxy
    }
  }

  /// The proxy for requests to which no rule applies; nil connects directly.
  public var proxy: Proxy?
  /// The rules, of which the first one that applies decides.
  public var rules: [Rule]
  /// The hosts that are connected to directly, whatever the rules say.
  ///
  /// A name, with or without a leading dot, matches itself and its subdomains; an address matches itself; a
  /// range such as `10.0.0.0/8` matches the addresses in it, but not names that resolve to them, and a
  /// malformed one matches nothing; `*` matches every host. Case is ignored.
  public var exceptions: [String]

  /// Creates a policy.
  public init(_ proxy: Proxy?, rules: [Rule] = [], except exceptions: [String] = []) {
    self.proxy = proxy
    self.rules = rules
    self.exceptions = exceptions
  }

  /// A policy without a proxy.
  public static let direct = ProxyPolicy(nil)

  func proxy(for origin: WebOrigin) -> Proxy? {
    let host = Self.bare(origin.host)
    if exceptions.contains(where: { Self.covers($0, host) }) { return nil }
    let rule = rules.first { rule in
      rule.scheme ?? origin.scheme.rawValue == origin.scheme.rawValue
        && rule.hosts.contains { Self.covers($0, host) }
    }
    return rule.map(\.proxy) ?? proxy
  }

  private static func covers(_ pattern: String, _ host: String) -> Bool {
    let pattern = bare(pattern)
    if pattern == "*" || pattern == host { return true }
    guard !pattern.isEmpty else { return false }
    // An address has no subdomains.
    guard let address = IPAddress(host) else { return host.hasSuffix("." + pattern) }
    return AddressRange(pattern)?.contains(address) ?? false
  }

  private static func bare(_ host: String) -> String {
    let host = WebOrigin.comparable(host)
    if host.hasPrefix("["), host.hasSuffix("]") { return String(host.dropFirst().dropLast()) }
    return host.hasPrefix(".") ? String(host.dropFirst()) : host
  }
}

/// The addresses that begin with the same bits, such as `10.0.0.0/8` (RFC 4632, section 3.1).
struct AddressRange: Sendable, Hashable {
  private let address: IPAddress
  private let length: Int

  /// Parses an address, a slash, and the number of bits.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let address = IPAddress(parts[0]), let length = Int(parts[1]),
      (0...address.bytes.count * 8).contains(length)
    else { return nil }
    (self.address, self.length) = (address, length)
  }

  /// Whether an address is in the range.
  func contains(_ other: IPAddress) -> Bool {
    guard other.bytes.count == address.bytes.count else { return false }
    return (0..<length).allSatisfy { bit in
      (address.bytes[bit / 8] ^ other.bytes[bit / 8]) & (0x80 >> UInt8(bit % 8)) == 0
    }
  }
}
