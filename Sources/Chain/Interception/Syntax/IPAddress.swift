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
