/// The syntax of those parts of an authority that parsers interpret differently (RFC 3986, section 3.2).
///
/// An address filter is useless if it reads a host as a name and the resolver behind it reads the same host
/// as an address. Dispatchers and validation therefore accept only what all parsers interpret alike.
package enum AuthoritySyntax {
  /// Returns whether parsers may interpret a host as different addresses.
  ///
  /// The URL Standard reads a host as an IPv4 address if its last label is a decimal or hexadecimal number.
  /// Resolvers do so too, with differences: many of them read `127.1`, `0x7f000001` and `0177.0.0.1` as
  /// 127.0.0.1. Four decimal numbers from 0 to 255 without leading zeros are the only unambiguous form.
  ///
  /// - Parameter host: A host without brackets.
  package static func isAmbiguous(host: Substring) -> Bool {
    let bytes = host.utf8
    // Nearly every name ends in a letter that cannot occur in a number.
    guard let last = bytes.last, last == UInt8(ascii: ".") || last.hexadecimalValue != nil || isX(last) else {
      return false
    }
    return endsInNumber(bytes) && IPAddress.version4(bytes) == nil
  }

  /// Returns whether what is sent to an origin can't be read or changed on the way, although it may not be
  /// encrypted (Secure Contexts, section 3.1, "potentially trustworthy origin").
  ///
  /// That is the case for https and wss, and for hosts of this machine: `localhost`, names that end in
  /// `.localhost`, 127.0.0.0/8 and `[::1]`.
  ///
  /// - Parameter host: A host in lower case without a port; an IPv6 address is in brackets.
  package static func isPotentiallyTrustworthy(scheme: some StringProtocol, host: Substring) -> Bool {
    switch scheme.lowercased() {
    case "https", "wss": true
    case "http", "ws": isLoopbackName(host) || isLoopbackAddress(host)
    default: false
    }
  }

  /// Returns whether a host in lower case is `localhost` or ends in `.localhost`, which never leave this
  /// machine (RFC 6761, section 6.3).
  package static func isLoopbackName(_ host: Substring) -> Bool {
    let name = host.utf8.last == UInt8(ascii: ".") ? host.dropLast() : host
    return name == "localhost" || name.hasSuffix(".localhost")
  }

  private static func isLoopbackAddress(_ host: Substring) -> Bool {
    if host.utf8.first == UInt8(ascii: "["), host.utf8.last == UInt8(ascii: "]") {
      return IPAddress(host.dropFirst().dropLast())?.bytes == [UInt8](repeating: 0, count: 15) + [1]
    }
    return IPAddress.version4(host.utf8).map { $0 >> 24 == 127 } ?? false
  }

  /// Parses a port, a decimal number from 1 to 65535 without leading zeros; returns nil for anything else.
  package static func port(_ text: Substring) -> Int? {
    let digits = text.utf8
    guard (1...5).contains(digits.count), digits.first != UInt8(ascii: "0"), digits.allSatisfy(isDigit) else {
      return nil
    }
    let port = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    return port <= 65_535 ? port : nil
  }

  /// The ends-in-a-number check of the URL Standard, section 3.5.
  private static func endsInNumber(_ host: Substring.UTF8View) -> Bool {
    let dot = UInt8(ascii: ".")
    let host = host.last == dot ? host.dropLast() : host
    let label = host.lastIndex(of: dot).map { host[host.index(after: $0)...] } ?? host
    guard let first = label.first else { return false }
    if label.allSatisfy(isDigit) { return true }
    let rest = label.dropFirst()
    guard first == UInt8(ascii: "0"), let second = rest.first, isX(second) else { return false }
    return rest.dropFirst().allSatisfy { $0.hexadecimalValue != nil }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func isX(_ byte: UInt8) -> Bool { byte | 0x20 == UInt8(ascii: "x") }
}
