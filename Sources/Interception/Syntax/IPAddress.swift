/// An IPv4 or IPv6 address.
package struct IPAddress: Sendable, Hashable {
  /// The 4 or 16 bytes in network byte order.
  package let bytes: [UInt8]

  /// Whether the address is an IPv6 address.
  package var isVersion6: Bool { bytes.count == 16 }

  /// Parses an address in the syntax of RFC 3986, section 3.2.2, without brackets; returns nil for anything
  /// else.
  ///
  /// IPv4 requires four decimal numbers without leading zeros, because parsers interpret forms such as
  /// `127.1` or `0x7f.1` differently. IPv6 allows `::` once and an IPv4 ending, but no zone.
  package init?(_ text: some StringProtocol) {
    let characters = Array(text.utf8)
    // The longest form has 45 characters.
    guard (2...45).contains(characters.count) else { return nil }
    let parsed =
      characters.contains(UInt8(ascii: ":"))
      ? Self.version6(characters[...]) : Self.version4(characters).map(Self.bytes)
    guard let parsed else { return nil }
    bytes = parsed
  }

  /// Creates an address from its bytes in network byte order; returns nil unless there are 4 or 16.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// Parses four decimal numbers without leading zeros, without allocating.
  static func version4(_ text: some Sequence<UInt8>) -> UInt32? {
    var address: UInt32 = 0
    var number: UInt32 = 0
    var (digits, dots) = (0, 0)
    for byte in text {
      switch byte {
      case UInt8(ascii: "."):
        guard digits > 0, dots < 3 else { return nil }
        address = address << 8 | number
        (number, digits, dots) = (0, 0, dots + 1)
      case 0x30...0x39:
        guard digits == 0 || number > 0 else { return nil }
        number = number * 10 + UInt32(byte - 0x30)
        digits += 1
        guard number <= 255 else { return nil }
      default: return nil
      }
    }
    guard digits > 0, dots == 3 else { return nil }
    return address << 8 | number
  }

  private static func bytes(_ address: UInt32) -> [UInt8] {
    stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: address >> UInt32($0)) }
  }

  private static func version6(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    guard let gap = gap(in: text) else { return groups(text, mayEndInVersion4: true, count: 8) }
    let before = text[..<gap]
    let after = text[(gap + 2)...]
    guard let head = before.isEmpty ? [] : groups(before, mayEndInVersion4: false, count: nil),
      let tail = after.isEmpty ? [] : groups(after, mayEndInVersion4: true, count: nil),
      // The gap represents at least one group (RFC 5952, section 4.2.2, only asks writers not to shorten a
      // single one).
      head.count + tail.count <= 14
    else { return nil }
    return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
  }

  /// Returns the index of the first `::`; a second one produces an empty group, which is invalid.
  private static func gap(in text: ArraySlice<UInt8>) -> Int? {
    text.indices.dropLast().first { text[$0] == UInt8(ascii: ":") && text[$0 + 1] == UInt8(ascii: ":") }
  }

  private static func groups(_ text: ArraySlice<UInt8>, mayEndInVersion4: Bool, count: Int?) -> [UInt8]? {
    let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    var bytes: [UInt8] = []
    for (index, part) in parts.enumerated() {
      if mayEndInVersion4, index == parts.count - 1, part.contains(UInt8(ascii: ".")) {
        guard let ending = version4(part) else { return nil }
        bytes += Self.bytes(ending)
        continue
      }
      guard (1...4).contains(part.count) else { return nil }
      var value: UInt16 = 0
      for character in part {
        guard let digit = character.hexadecimalValue else { return nil }
        value = value << 4 | UInt16(digit)
      }
      bytes += [UInt8(value >> 8), UInt8(value & 255)]
    }
    if let count, bytes.count != count * 2 { return nil }
    return bytes
  }
}

extension IPAddress: CustomStringConvertible {
  /// The canonical form: four decimal numbers, or RFC 5952.
  package var description: String {
    guard isVersion6 else { return bytes.map { "\($0)" }.joined(separator: ".") }
    let groups = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
    func text(_ range: Range<Int>) -> String {
      groups[range].map { String($0, radix: 16) }.joined(separator: ":")
    }
    guard let zeros = Self.longestZeros(groups) else { return text(0..<8) }
    return text(0..<zeros.lowerBound) + "::" + text(zeros.upperBound..<8)
  }

  /// Returns the longest run of at least two zero groups; the first one if there are several.
  private static func longestZeros(_ groups: [UInt16]) -> Range<Int>? {
    var longest: Range<Int>?
    var start = 0
    for index in 0...groups.count where index == groups.count || groups[index] != 0 {
      if index - start > max(1, longest?.count ?? 0) { longest = start..<index }
      start = index + 1
    }
    return longest
  }
}

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
