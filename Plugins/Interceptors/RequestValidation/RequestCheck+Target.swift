import HTTPTypes
import Interception

extension RequestCheck {
  /// Returns the fault of an authority, if any (RFC 3986, section 3.2; RFC 9110, section 4.2).
  static func authority(_ authority: String?) -> String? {
    guard let authority, !authority.isEmpty else {
      return "Give the request an authority, such as api.example or api.example:8443; it has none."
    }
    // Usually the authority is a name, perhaps with a port; only others are examined byte by byte.
    let isName = authority.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isHostCharacter) }
    if isName == true { return number(authority[...]) }
    let host = authority.utf8.prefix { $0 != UInt8(ascii: ":") }
    if !host.isEmpty, host.allSatisfy(isHostCharacter) {
      if host.endIndex == authority.endIndex { return number(authority[...]) }
      let port = authority[authority.utf8.index(after: host.endIndex)...]
      if AuthoritySyntax.port(port) != nil { return number(authority[..<host.endIndex]) }
    }
    let bytes = Array(authority.utf8)
    guard !bytes.contains(UInt8(ascii: "@")) else {
      return "Remove the user name from the authority; credentials belong in the field Authorization."
    }
    if let index = bytes.firstIndex(where: { $0 <= 0x20 || $0 == 0x7F }) {
      return "Remove the white space or control character from the authority; it is at byte \(index + 1)."
    }
    guard bytes.allSatisfy({ $0 < 0x80 }) else {
      return "Write the host in its ASCII form (xn--…); the authority contains other characters."
    }
    return bytes.first == UInt8(ascii: "[") ? bracketed(authority) : named(authority)
  }

  /// Returns the fault of a path and its query, if any.
  static func path(_ path: String?, method: HTTPRequest.Method) -> String? {
    guard let path, path.utf8.first == UInt8(ascii: "/") else {
      if path == "*", method == .options { return nil }
      return
        "Start the path with a slash; it \(path?.isEmpty ?? true ? "is empty" : "starts with another character")."
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
        // swift-http-types has already replaced CR, LF and NUL with spaces.
        return
          "Percent-encode the path and its query; byte \(index + 1) is a space, a line break or a control character."
      case 0x80...:
        return "Percent-encode the path and its query; byte \(index + 1) is not ASCII."
      case UInt8(ascii: "#"):
        return
          "Remove the fragment, or write %23; byte \(index + 1) of the path starts one, which is never sent to servers."
      case UInt8(ascii: "%"):
        guard bytes.dropFirst(index + 1).prefix(2).count(where: { $0.hexadecimalValue != nil }) == 2 else {
          return
            "Write %25 for a percent sign; the one at byte \(index + 1) of the path is not followed by two digits."
        }
      default: break
      }
    }
    return nil
  }

  private static func bracketed(_ authority: String) -> String? {
    guard let end = authority.firstIndex(of: "]") else {
      return "Write an IPv6 address such as [2001:db8::1]; the text in brackets is not one."
    }
    do throws(ScopedAddress.Fault) {
      guard try ScopedAddress(authority[..<end].dropFirst()).address.isVersion6 else { throw .noAddress }
    } catch {
      return error == .noAddress
        ? "Write an IPv6 address such as [2001:db8::1]; the text in brackets is not one."
        : "Correct the address in brackets, which \(error)"
    }
    let rest = authority[end...].dropFirst()
    guard !rest.isEmpty else { return nil }
    guard rest.first == ":" else {
      return "Write only a colon and a port after the address in brackets."
    }
    return port(rest.dropFirst())
  }

  private static func named(_ authority: String) -> String? {
    let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 2 else { return "Write an IPv6 address in brackets, as in [2001:db8::1]:8443." }
    guard let host = parts.first, !host.isEmpty else {
      return "Write a host before the port; the authority has none."
    }
    guard host.utf8.allSatisfy(isHostCharacter) else {
      return "Use letters, digits, hyphens, dots and underscores in the host; it contains another character."
    }
    return number(host) ?? (parts.count == 2 ? port(parts[1]) : nil)
  }

  /// Returns the fault of a host that ends in a number, if any.
  private static func number(_ host: Substring) -> String? {
    guard AuthoritySyntax.isAmbiguous(host: host) else { return nil }
    return
      "Write an IPv4 address as four decimal numbers without leading zeros, such as 192.0.2.1, or use a name; parsers "
      + "interpret the host \(quoted(String(host))) as different addresses."
  }

  private static func port(_ text: Substring) -> String? {
    guard AuthoritySyntax.port(text) == nil else { return nil }
    return "Use a port from 1 to 65535 without leading zeros; "
      + (text.isEmpty ? "there is none after the colon." : "\(quoted(String(text))) is not one.")
  }

  /// Whether a byte is legal anywhere in a path or a query.
  private static func isPlainPathByte(_ byte: UInt8) -> Bool {
    byte &- 0x21 <= 0x5D && byte != UInt8(ascii: "#") && byte != UInt8(ascii: "%")
  }

  /// Whether a byte is a letter, a digit, a hyphen, a dot or an underscore.
  private static func isHostCharacter(_ byte: UInt8) -> Bool {
    // Setting the bit 0x20 maps both cases of a letter to lower case; digits, hyphen and dot are adjacent,
    // except for the slash.
    (byte | 0x20) &- 0x61 < 26 || byte &- 0x2D < 13 && byte != UInt8(ascii: "/") || byte == UInt8(ascii: "_")
  }
}
