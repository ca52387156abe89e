import Interception

/// A range of addresses that no server on the Internet has.
///
/// A table refuses them unless they are allowed explicitly.
public enum SpecialAddressRange: String, Sendable, Hashable, CaseIterable {
  /// The same machine: 127.0.0.0/8 and `::1`.
  case loopback
  /// The same link: 169.254.0.0/16 and fe80::/10.
  case linkLocal
  /// The same site or carrier: 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10, fc00::/7 and
  /// fec0::/10.
  case `private`
  /// Multicast groups: 224.0.0.0/4 and ff00::/8.
  case multicast
  /// Unspecified and reserved addresses: 0.0.0.0/8, 240.0.0.0/4 and `::`.
  case reserved
}

extension IPAddress {
  /// The range that makes the address unusable on the Internet, or nil for a public address.
  var specialRange: SpecialAddressRange? {
    switch specialPurpose {
    case .loopback: .loopback
    case .linkLocal: .linkLocal
    case .private: .private
    case .multicast: .multicast
    case .reserved: .reserved
    case nil: nil
    }
  }
}
