/// An IP address, with the zone of a link-local IPv6 address (RFC 4007, section 11).
///
/// The zone is the name or the number of the interface whose link has the address. It has a meaning on this
/// machine only, so it is never sent.
package struct ScopedAddress: Sendable, Hashable {
  /// The address.
  package let address: IPAddress
  /// The zone; nil if none is named.
  package let zone: String?

  /// Why a text is no address with an optional zone.
  package enum Fault: Error, Hashable, CustomStringConvertible {
    case noAddress
    case malformedZone
    case needlessZone

    /// The fault, as the rest of a sentence that begins with the address.
    package var description: String {
      switch self {
      case .noAddress: "is not an IPv6 address."
      case .malformedZone:
        "has a zone that is not from 1 to 15 letters, digits, \"-\", \".\", \"_\" or \"~\"; name an interface, as in "
          + "[fe80::1%25eth0]."
      case .needlessZone:
        "has a zone, which only link-local IPv6 addresses have (fe80::/10); remove the zone."
      }
    }
  }

  /// Parses an address without brackets, such as `192.0.2.1`, `2001:db8::1` or `fe80::1%eth0`.
  ///
  /// The percent sign before a zone may be encoded, as in URLs: `fe80::1%25eth0` (RFC 6874, section 2).
  package init(_ text: some StringProtocol) throws(Fault) {
    let sign = text.firstIndex(of: "%") ?? text.endIndex
    guard let address = IPAddress(text[..<sign]) else { throw .noAddress }
    self.address = address
    guard sign != text.endIndex else {
      zone = nil
      return
    }
    guard address.bytes.count == 16, address.bytes[0] == 0xFE, address.bytes[1] & 0xC0 == 0x80 else {
      throw .needlessZone
    }
    var zone = text[text.index(after: sign)...]
    // As libcurl does: "25" alone is the number of an interface.
    if zone.hasPrefix("25"), zone.utf8.count > 2 { zone = zone.dropFirst(2) }
    guard (1...15).contains(zone.utf8.count), zone.utf8.allSatisfy(Self.isZoneByte) else {
      throw .malformedZone
    }
    self.zone = String(zone)
  }

  // The unreserved characters (RFC 3986, section 2.3).
  private static func isZoneByte(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || "-._~".utf8.contains(byte)
  }

  /// The address as the host of a URL, with an IPv6 address in brackets.
  package var host: String {
    address.isVersion6 ? "[\(address)\(zone.map { "%25" + $0 } ?? "")]" : "\(address)"
  }
}

extension ScopedAddress: CustomStringConvertible {
  /// The canonical form of the address and the zone, as system functions take it: `fe80::1%eth0`.
  package var description: String { "\(address)\(zone.map { "%" + $0 } ?? "")" }
}
