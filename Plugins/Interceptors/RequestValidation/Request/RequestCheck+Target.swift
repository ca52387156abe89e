import HTTPTypes

extension RequestCheck {
  /// What is wrong with an authority (RFC 3986, section 3.2; RFC 9110, section 4.2).
  static func authority(_ authority: String?) -> String? {
    guard let authority, !authority.isEmpty else {
      return "Give the request an authority, such as api.example or api.example:8443; it has none."
    }
    // A plain name is the rule; only where there is more to it is it taken apart.
    let isPlain = authority.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isHostCharacter) }
    if isPlain == true { return nil }
    let bytes = Array(authority.utf8)
    guard !bytes.contains(UInt8(ascii: "@")) else {
      return "Remove the user name from the authority; credentials belong in the field Authorization."
    }
    if let index = bytes.firstIndex(where: { $0 <= 0x20 || $0 == 0x7F }) {
      return "Remove the white space or control character from the authority; it is byte \(index + 1)."
    }
    guard bytes.allSatisfy({ $0 < 0x80 }) else {
      return "Write the host in its ASCII form (xn--…); the authority holds other characters."
    }
    return bytes.first == UInt8(ascii: "[") ? bracketed(bytes) : named(bytes)
  }

  /// What is wrong with a path and its query.
  static func path(_ path: String?, method: HTTPRequest.Method) -> String? {
    guard let path, path.utf8.first == UInt8(ascii: "/") else {
      if path == "*", method == .options { return nil }
      return "Begin the path with a slash; it \(path?.isEmpty ?? true ? "is empty" : "begins otherwise")."
    }
    let isPlain = path.utf8.withContiguousStorageIfAvailable { bytes in
      var index = 0
      while index < bytes.count, isPlainPathByte(bytes[index]) { index += 1 }
      return index == bytes.count
    }
    if isPlain == true { return nil }
    let bytes = Array(path.utf8)
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case ...0x20, 0x7F:
        // swift-http-types has turned CR, LF and NUL into spaces by now.
        return
          "Percent-encode the path and its query; byte \(index + 1) is a space, a line break or a control character."
      case 0x80...:
        return "Percent-encode the path and its query; byte \(index + 1) is not ASCII."
      case UInt8(ascii: "#"):
        return
          "Remove the fragment, or write %23; byte \(index + 1) of the path begins one, and servers never see it."
      case UInt8(ascii: "%"):
        guard bytes.dropFirst(index + 1).prefix(2).count(where: isHexadecimal) == 2 else {
          return
            "Write %25 for a percent sign; the one at byte \(index + 1) of the path is not followed by two digits."
        }
      default: break
      }
    }
    return nil
  }

  private static func bracketed(_ bytes: [UInt8]) -> String? {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "]")), end > 2,
      bytes[1..<end].contains(UInt8(ascii: ":")),
      bytes[1..<end].allSatisfy({ isHexadecimal($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") })
    else { return "Write an IPv6 address such as [2001:db8::1]; what stands in brackets is none." }
    let rest = bytes[(end + 1)...]
    guard !rest.isEmpty else { return nil }
    guard rest.first == UInt8(ascii: ":") else {
      return "Write a colon and a port after the address in brackets, or nothing."
    }
    return port(rest.dropFirst())
  }

  private static func named(_ bytes: [UInt8]) -> String? {
    let parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count <= 2 else { return "Write an IPv6 address in brackets, as in [2001:db8::1]:8443." }
    guard let host = parts.first, !host.isEmpty else {
      return "Put a host before the port; the authority has none."
    }
    guard host.allSatisfy(isHostCharacter) else {
      return "Use letters, digits, hyphens, dots and underscores in the host; another character is in it."
    }
    return parts.count == 2 ? port(parts[1]) : nil
  }

  private static func port(_ digits: ArraySlice<UInt8>) -> String? {
    let text = String(decoding: digits, as: UTF8.self)
    guard digits.count <= 5, digits.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(text),
      (1...65_535).contains(port)
    else {
      return
        "Use a port from 1 to 65535; \(text.isEmpty ? "there is none after the colon" : quoted(text) + " is none")."
    }
    return nil
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
    default: false
    }
  }

  /// Whether a byte is right wherever it stands in a path or a query.
  private static func isPlainPathByte(_ byte: UInt8) -> Bool {
    byte &- 0x21 <= 0x5D && byte != UInt8(ascii: "#") && byte != UInt8(ascii: "%")
  }

  /// Whether a byte is a letter, a digit, a hyphen, a dot or an underscore.
  private static func isHostCharacter(_ byte: UInt8) -> Bool {
    // A letter in either case is one in lower case once its bit of 0x20 is set; digits, hyphen and dot lie together
    // but for the slash.
    (byte | 0x20) &- 0x61 < 26 || byte &- 0x2D < 13 && byte != UInt8(ascii: "/") || byte == UInt8(ascii: "_")
  }
}
