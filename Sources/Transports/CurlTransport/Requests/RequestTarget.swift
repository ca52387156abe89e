import HTTPTypes
import Interception

/// Checks where a request goes; the errors name the part that is wrong.
enum RequestTarget {
  /// Checks the scheme and the authority of a request.
  static func origin(of head: HTTPRequest) throws(NetworkError) -> WebOrigin {
    guard let text = head.scheme, !text.isEmpty else {
      throw .invalidRequest("The request has no scheme; set it to https, or to http.")
    }
    guard let scheme = WebOrigin.Scheme(rawValue: text.lowercased()) else {
      throw .invalidRequest("The scheme \"\(text.printable)\" is not supported; use https or http.")
    }
    let (host, port) = try hostAndPort(head.authority ?? "")
    return WebOrigin(scheme: scheme, host: host, port: port ?? scheme.defaultPort)
  }

  /// Splits an authority; the host is in lower case, except for the zone of an address.
  private static func hostAndPort(_ authority: String) throws(NetworkError) -> (host: String, port: Int?) {
    guard !authority.isEmpty else {
      throw .invalidRequest("The request has no authority; name the host, such as api.example.org.")
    }
    // User information holds secrets and is not repeated.
    guard !authority.utf8.contains(UInt8(ascii: "@")) else {
      throw .invalidRequest("The authority holds user information; use the Authorization field instead.")
    }
    let host: Substring
    var zone: String?
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else {
        throw .invalidRequest("The authority \"\(authority.printable)\" lacks a closing bracket.")
      }
      host = authority[...end]
      zone = try Self.zone(of: host)
    } else {
      host = authority[..<(authority.firstIndex(of: ":") ?? authority.endIndex)]
      guard !host.isEmpty, host.utf8.allSatisfy(isHostByte) else {
        throw .invalidRequest(
          "The host of \"\(authority.printable)\" is no host name; use letters, digits, \"-\", \".\" and \"_\", and write "
            + "other scripts in their ASCII form, which begins with xn--.")
      }
      guard !AuthoritySyntax.isAmbiguous(host: host) else {
        throw .invalidRequest(
          "The host of \"\(authority.printable)\" ends in a number, which parsers read as different addresses; write an "
            + "IPv4 address as four decimal numbers without leading zeros, such as 192.0.2.1, or use a name.")
      }
    }
    let rest = authority[host.endIndex...]
    // An encoded percent sign, because libcurl accepts the other form with a warning only.
    let name =
      zone.map { "\(host.prefix { $0 != "%" }.lowercased())%25\($0)]" } ?? host.lowercased()
    guard !rest.isEmpty else { return (name, nil) }
    guard rest.first == ":", let port = AuthoritySyntax.port(rest.dropFirst()) else {
      throw .invalidRequest(
        "The port of \"\(authority.printable)\" is no number from 1 to 65535 without leading zeros; correct it."
      )
    }
    return (name, port)
  }

  /// Checks an IPv6 address in brackets, and returns its zone.
  private static func zone(of host: Substring) throws(NetworkError) -> String? {
    do throws(ScopedAddress.Fault) {
      let address = try ScopedAddress(host.dropFirst().dropLast())
      guard address.address.isVersion6 else { throw .noAddress }
      return address.zone
    } catch {
      throw .invalidRequest("The host \"\(String(host).printable)\" \(error)")
    }
  }

  /// Returns an authority without the zone of its address, which has a meaning on this machine only.
  static func withoutZone(_ authority: String) -> String {
    guard let sign = authority.firstIndex(of: "%") else { return authority }
    let end = authority.firstIndex(of: "]") ?? authority.endIndex
    return String(authority[..<sign] + authority[end...])
  }

  /// Checks the path and the query of a request, and returns them as they are sent.
  static func path(of head: HTTPRequest) throws(NetworkError) -> String {
    guard head.method != .connect else {
      throw .invalidRequest("CONNECT opens tunnels, which this dispatcher doesn't; choose another method.")
    }
    guard let path = head.path, !path.isEmpty else { return "/" }
    if path == "*", head.method == .options { return path }
    guard path.utf8.first == UInt8(ascii: "/") else {
      throw .invalidRequest("The path doesn't begin with \"/\"; add it, and name the host in the authority.")
    }
    if path.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }) { return path }
    for (offset, byte) in path.utf8.enumerated() {
      if byte == UInt8(ascii: "#") {
        throw .invalidRequest("The path holds a fragment at byte \(offset), which is never sent; remove it.")
      }
      if !(0x21...0x7E).contains(byte) {
        throw .invalidRequest(
          "The path holds the byte 0x\(String(byte, radix: 16)) at \(offset); percent-encode spaces, controls and "
            + "non-ASCII characters.")
      }
    }
    return path
  }

  static func isHostByte(_ byte: UInt8) -> Bool {
    byte.isAlphanumeric || "-._".utf8.contains(byte)
  }
}

extension UInt8 {
  /// Whether it is an ASCII letter or digit.
  var isAlphanumeric: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}

extension String {
  /// The text as an error can show it: at most 100 characters of visible ASCII.
  var printable: String {
    String(unicodeScalars.prefix(100).map { (0x20...0x7E).contains($0.value) ? Character($0) : "?" })
  }
}
