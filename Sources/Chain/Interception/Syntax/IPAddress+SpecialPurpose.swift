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
    /// Documentation: 192.0.2.0/24, 198.51.100.0/24, 203.0.113.0/24, 2001:db8::/32 and 3fff::/20.
    case documentation
    /// Every other address that is not globally reachable, such as 0.0.0.0/8, 192.0.0.0/24, 198.18.0.0/15,
    /// 240.0.0.0/4, `::`, 100::/64 and 2001::/32.
    case reserved
  }

  /// The purpose that makes the address unusable on the Internet, or nil for a public address.
  ///
  /// Public is what IANA's registries of special-purpose addresses call globally reachable, or don't list. An
  /// IPv6 address that embeds an IPv4 address (mapped, compatible, translated, NAT64, 6to4) is classified by
  /// that one, so `::ffff:127.0.0.1` is loopback.
  package var specialPurpose: SpecialPurpose? {
    let blocks = isVersion6 ? Block.version6 : Block.version4
    guard let block = blocks.first(where: { $0.contains(bytes) }) else { return nil }
    guard let start = block.embeddedAt, let embedded = IPAddress(bytes: Array(bytes[start..<start + 4]))
    else { return block.purpose }
    return embedded.specialPurpose ?? block.purpose
  }
}

/// A block of addresses in IANA's registry of IPv4 or IPv6 special-purpose addresses.
///
/// The tables have the registries' blocks, without those that the block around them classifies, and the
/// blocks for multicast, which the registries leave out. The first block that contains an address counts, so
/// that an exception precedes the block that it is part of.
///
/// - <https://www.iana.org/assignments/iana-ipv4-special-registry>
/// - <https://www.iana.org/assignments/iana-ipv6-special-registry>
private struct Block: Sendable {
  /// The first bytes of the block's addresses, and the number of bits in which all of them agree.
  let prefix: [UInt8]
  let length: Int
  /// The purpose, or nil if the addresses are globally reachable.
  let purpose: IPAddress.SpecialPurpose?
  /// The index of the first byte of an embedded IPv4 address, which classifies the address unless it is
  /// public.
  let embeddedAt: Int?

  init(
    _ prefix: [UInt8], _ length: Int, _ purpose: IPAddress.SpecialPurpose?, embeddedAt: Int? = nil
  ) {
    self.prefix = prefix
    self.length = length
    self.purpose = purpose
    self.embeddedAt = embeddedAt
  }

  /// Creates a block of IPv6 addresses from the first groups of its prefix; groups that are left out are 0.
  static func groups(
    _ groups: UInt16..., length: Int, _ purpose: IPAddress.SpecialPurpose?, embeddedAt: Int? = nil
  ) -> Block {
    let bytes = groups.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let zeros = [UInt8](repeating: 0, count: 16 - bytes.count)
    return Block(bytes + zeros, length, purpose, embeddedAt: embeddedAt)
  }

  func contains(_ bytes: [UInt8]) -> Bool {
    let whole = length / 8
    guard bytes[..<whole].elementsEqual(prefix[..<whole]) else { return false }
    let rest = length % 8
    return rest == 0 || (bytes[whole] ^ prefix[whole]) >> UInt8(8 - rest) == 0
  }

  static let version4: [Block] = [
    Block([0, 0, 0, 0], 8, .reserved),  // "This network"
    Block([10, 0, 0, 0], 8, .private),
    Block([100, 64, 0, 0], 10, .private),  // Shared by a carrier's customers
    Block([127, 0, 0, 0], 8, .loopback),
    Block([169, 254, 0, 0], 16, .linkLocal),
    Block([172, 16, 0, 0], 12, .private),
    Block([192, 0, 0, 9], 32, nil),  // Port Control Protocol, anycast
    Block([192, 0, 0, 10], 32, nil),  // TURN, anycast
    Block([192, 0, 0, 0], 24, .reserved),  // IETF protocol assignments
    Block([192, 0, 2, 0], 24, .documentation),
    Block([192, 88, 99, 0], 24, .reserved),  // 6to4 relays, deprecated
    Block([192, 168, 0, 0], 16, .private),
    Block([198, 18, 0, 0], 15, .reserved),  // Benchmarking
    Block([198, 51, 100, 0], 24, .documentation),
    Block([203, 0, 113, 0], 24, .documentation),
    Block([224, 0, 0, 0], 4, .multicast),
    Block([240, 0, 0, 0], 4, .reserved),  // With the limited broadcast
  ]

  static let version6: [Block] = [
    .groups(0, 0, 0, 0, 0, 0, 0, 0, length: 128, .reserved),  // Unspecified
    .groups(0, 0, 0, 0, 0, 0, 0, 1, length: 128, .loopback),
    .groups(0, 0, 0, 0, 0, 0, length: 96, .reserved, embeddedAt: 12),  // IPv4-compatible, deprecated
    .groups(0, 0, 0, 0, 0, 0xFFFF, length: 96, nil, embeddedAt: 12),  // IPv4-mapped
    .groups(0, 0, 0, 0, 0xFFFF, 0, length: 96, .reserved, embeddedAt: 12),  // IPv4-translated (RFC 2765)
    .groups(0x0064, 0xFF9B, 0, 0, 0, 0, length: 96, nil, embeddedAt: 12),  // NAT64
    .groups(0x0064, 0xFF9B, 1, length: 48, .reserved),  // NAT64 of a local network
    .groups(0x0100, 0, 0, 0, length: 64, .reserved),  // Discard-only
    .groups(0x0100, 0, 0, 1, length: 64, .reserved),  // Dummy
    .groups(0x2001, 1, 0, 0, 0, 0, 0, 1, length: 128, nil),  // Port Control Protocol, anycast
    .groups(0x2001, 1, 0, 0, 0, 0, 0, 2, length: 128, nil),  // TURN, anycast
    .groups(0x2001, 1, 0, 0, 0, 0, 0, 3, length: 128, nil),  // DNS-SD Service Registration, anycast
    .groups(0x2001, 3, length: 32, nil),  // AMT
    .groups(0x2001, 4, 0x0112, length: 48, nil),  // AS112
    .groups(0x2001, 0x20, length: 28, nil),  // ORCHIDv2
    .groups(0x2001, 0x30, length: 28, nil),  // Drone remote ID
    .groups(0x2001, 0, length: 23, .reserved),  // IETF protocol assignments, with Teredo and benchmarking
    .groups(0x2001, 0x0DB8, length: 32, .documentation),
    .groups(0x2002, length: 16, nil, embeddedAt: 2),  // 6to4
    .groups(0x3FFF, length: 20, .documentation),
    .groups(0x5F00, length: 16, .reserved),  // Segment routing
    .groups(0xFC00, length: 7, .private),  // Unique local
    .groups(0xFE80, length: 10, .linkLocal),
    .groups(0xFEC0, length: 10, .private),  // Site-local, deprecated
    .groups(0xFF00, length: 8, .multicast),
  ]
}
