import Interception

/// A range of addresses that no server on the Internet has.
///
/// The ranges are those of IANA's registries of special-purpose addresses. A table refuses them unless they
/// are allowed explicitly. An IPv6 address that embeds an IPv4 address, as `::ffff:10.0.0.1` does, belongs to
/// the range of that one.
public enum SpecialAddressRange: String, Sendable, Hashable, CaseIterable {
  /// The same machine: 127.0.0.0/8 and `::1`.
  case loopback
  /// The same link: 169.254.0.0/16 and fe80::/10.
  case linkLocal
  /// The same site or carrier: 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10, fc00::/7 and
  /// fec0::/10.
  case `private`
  /// Broadcast groups: 224.0.0.0/4 and ff00::/8.
  case multicast
  /// Documentation: 192.0.2.0/24, 198.51.100.0/24, 203.0.113.0/24, 2001:db8::/32 and 3fff::/20.
  case documentation
  /// Every other address that is not globally reachable, such as 0.0.0.0/8, 192.0.0.0/24, 198.18.0.0/15,
  /// 240.0.0.0/4, `::`, 100::/64 and 2001::/32.
  case reserved
}
