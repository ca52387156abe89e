/// The canonical spelling of an authority, which both ends sign: lower case, without a default port.
enum CanonicalAuthority {
  /// Returns the canonical spelling.
  ///
  /// Ports 80 and 443 are dropped for any scheme, because a server behind a TLS terminator doesn't know the
  /// scheme that the client used.
  static func of(_ authority: String) -> String {
    // Almost every authority is a lower-case name, without a port or with one that is no default.
    let isCanonical = authority.utf8.withContiguousStorageIfAvailable { bytes in
      guard !bytes.contains(where: { (0x41...0x5A).contains($0) }) else { return false }
      guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")) else { return true }
      // Three digits or fewer may be a default port, and an address in brackets needs a closer look.
      return bytes.count - colon > 4 && !bytes[colon...].contains(UInt8(ascii: "]"))
    }
    if isCanonical == true { return authority }
    let lowered = authority.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    guard let colon = lowered.lastIndex(of: UInt8(ascii: ":")),
      !lowered[colon...].contains(UInt8(ascii: "]"))
    else { return String(decoding: lowered, as: UTF8.self) }
    let port = String(decoding: lowered[(colon + 1)...], as: UTF8.self)
    let kept = ["", "80", "443"].contains(port) ? lowered[..<colon] : lowered[...]
    return String(decoding: kept, as: UTF8.self)
  }
}
