extension IPAddress {
  /// A purpose that keeps an address from being that of a server on the Internet (RFC 6890).
  package enum SpecialPurpose: Sendable, Hashable {
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

  /// The purpose that makes the address unusable on the Internet, or nil for a public address.
  ///
  /// An IPv6 address that embeds an IPv4 address (mapped, compatible, NAT64, 6to4) is classified by that one,
  /// so `::ffff:127.0.0.1` is loopback.
  package var specialPurpose: SpecialPurpose? {
    guard bytes.count == 16 else { return Self.specialPurpose(ofVersion4: bytes[...]) }
    let isZeroUpTo10 = bytes[..<10].allSatisfy { $0 == 0 }
    if isZeroUpTo10, bytes[10] == 0xff, bytes[11] == 0xff {
      return Self.specialPurpose(ofVersion4: bytes[12...])
    }
    if isZeroUpTo10, bytes[10] == 0, bytes[11] == 0 {
      if bytes[12...].elementsEqual([0, 0, 0, 1]) { return .loopback }
      return Self.specialPurpose(ofVersion4: bytes[12...]) ?? .reserved
    }
    if bytes.starts(with: [0x00, 0x64, 0xff, 0x9b]), bytes[4..<12].allSatisfy({ $0 == 0 }) {
      return Self.specialPurpose(ofVersion4: bytes[12...])
    }
    if bytes.starts(with: [0x20, 0x02]) { return Self.specialPurpose(ofVersion4: bytes[2..<6]) }
    switch (bytes[0], bytes[1] & 0xc0) {
    case (0xff, _): return .multicast
    case (0xfe, 0x80): return .linkLocal
    case (0xfe, 0xc0), (0xfc...0xfd, _): return .private
    default: return nil
    }
  }

  private static func specialPurpose(ofVersion4 bytes: ArraySlice<UInt8>) -> SpecialPurpose? {
    let first = bytes[bytes.startIndex]
    let second = bytes[bytes.startIndex + 1]
    switch (first, second) {
    case (0, _), (240..., _): return .reserved
    case (127, _): return .loopback
    case (169, 254): return .linkLocal
    case (10, _), (172, 16...31), (192, 168), (100, 64...127): return .private
    case (224...239, _): return .multicast
    default: return nil
    }
  }
}
