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

  /// Returns a host in the form in which hosts are compared: in lower case, without the dot at the end of an
  /// absolute name, and an IPv6 address in its canonical form in brackets.
  ///
  /// `example.com.` and `example.com` are one name to resolvers and in certificates, so whatever applies to
  /// one of them, such as a pin or a proxy, applies to the other.
  package static func comparable(host: some StringProtocol) -> String {
    if host.utf8.contains(UInt8(ascii: ":")) {
      let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
      let text = isBracketed ? host.dropFirst().dropLast() : host[...]
      if let address = try? ScopedAddress(text) { return address.host }
    }
    let host = host.lowercased()
    return host.utf8.count > 1 && host.utf8.last == UInt8(ascii: ".") ? String(host.dropLast()) : host
  }

  /// Returns an authority in the form in which authorities are compared: its host as
  /// ``comparable(host:)`` does, and its port as it is.
  package static func comparable(authority: some StringProtocol) -> String {
    let authority = Substring(authority)
    let bytes = authority.utf8
    // Almost every authority is a name in lower case without a port.
    let isPlain = bytes.allSatisfy {
      isDigit($0) || (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
    }
    if isPlain, bytes.last != UInt8(ascii: ".") { return String(authority) }
    let hostStart = bytes.lastIndex(of: UInt8(ascii: "]")) ?? bytes.startIndex
    guard let colon = bytes[hostStart...].lastIndex(of: UInt8(ascii: ":")) else {
      return comparable(host: authority)
    }
    return comparable(host: authority[..<colon]) + authority[colon...]
  }

  /// Returns whether a text is one host as URLs name it: a name, which may end in a dot, an IPv4 address, or
  /// an IPv6 address in brackets.
  ///
  /// A pattern is none, nor is a text with an empty label or a port.
  package static func isHost(_ text: some StringProtocol) -> Bool {
    if text.hasPrefix("["), text.hasSuffix("]") {
      guard let address = try? ScopedAddress(text.dropFirst().dropLast()) else { return false }
      return address.address.isVersion6
    }
    return isName(text) || IPAddress(text)?.isVersion6 == false
  }

  /// Returns whether a text is a name of ASCII letters, digits, `-`, `_` and dots between labels, which may
  /// end in a dot and which nothing reads as an address.
  package static func isName(_ text: some StringProtocol) -> Bool {
    let dot = UInt8(ascii: ".")
    let text = Substring(text)
    let bytes = text.utf8
    let name = bytes.last == dot ? bytes.dropLast() : bytes[...]
    guard (1...253).contains(name.count), !isAmbiguous(host: text), IPAddress(text) == nil else {
      return false
    }
    var previous = dot
    for byte in name {
      let isLabelByte =
        isDigit(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "-")
        || byte == UInt8(ascii: "_")
      guard isLabelByte || (byte == dot && previous != dot) else { return false }
      previous = byte
    }
    return previous != dot
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
