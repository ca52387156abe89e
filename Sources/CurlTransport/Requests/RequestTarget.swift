import HTTPTypes
import Interception

/// Where a request goes: origin, the authority as written, and the request target of RFC 9112, section 3.2.
struct RequestTarget: Sendable, Hashable {
  let origin: WebOrigin
  let authority: String
  /// Path and query, byte for byte as given.
  let path: String

  /// Checks path and query, and returns them as they are sent.
  ///
  /// - Throws: ``NetworkError/Kind/invalidRequest``, which names the part that is wrong.
  static func path(of head: HTTPRequest) throws(NetworkError) -> String {
    try path(head.path ?? "/", method: head.method)
  }

  /// Checks scheme and authority, and returns what they name.
  ///
  /// - Throws: ``NetworkError/Kind/invalidRequest``, which names the part that is wrong.
  static func origin(of head: HTTPRequest) throws(NetworkError) -> WebOrigin {
    let scheme = try scheme(head.scheme)
    let authority = head.authority ?? ""
    let (host, port) = try hostAndPort(authority)
    return WebOrigin(scheme: scheme, host: host.lowercased(), port: port ?? scheme.defaultPort)
  }

  private static func scheme(_ text: String?) throws(NetworkError) -> WebOrigin.Scheme {
    guard let text, !text.isEmpty else {
      throw invalid("The request has no scheme; set it to https, or to http.")
    }
    guard let scheme = WebOrigin.Scheme(rawValue: text.lowercased()) else {
      throw invalid("The scheme \"\(printable(text))\" is not spoken; use https or http.")
    }
    return scheme
  }

  private static func hostAndPort(_ authority: String) throws(NetworkError) -> (host: String, port: Int?) {
    guard !authority.isEmpty else {
      throw invalid("The request has no authority; name the host, such as api.example.org.")
    }
    // The user's name and password are not repeated: they are secrets.
    guard !authority.utf8.contains(UInt8(ascii: "@")) else {
      throw invalid("The authority holds user information; send it in the Authorization field instead.")
    }
    let host: Substring
    let rest: Substring
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else {
        throw invalid("The authority \"\(printable(authority))\" opens a bracket and doesn't close it.")
      }
      host = authority[...end]
      rest = authority[authority.index(after: end)...]
      guard IPAddress(host.dropFirst().dropLast())?.isVersion6 == true else {
        throw invalid("The host \"\(printable(authority))\" is not an IPv6 address.")
      }
    } else {
      let end = authority.firstIndex(of: ":") ?? authority.endIndex
      host = authority[..<end]
      rest = authority[end...]
      guard !host.isEmpty, host.utf8.allSatisfy(isHostByte) else {
        throw invalid(
          "The host of \"\(printable(authority))\" is not a host's name; use letters, digits, \"-\", \".\" and \"_\", "
            + "and write other scripts in their ASCII form, which begins with xn--.")
      }
      guard !AuthoritySyntax.isAmbiguous(host: host) else {
        throw invalid(
          "The host of \"\(printable(authority))\" ends in a number, which parsers read as different addresses; write an "
            + "IPv4 address as four decimal numbers without leading zeros, such as 192.0.2.1, or use a name.")
      }
    }
    guard !rest.isEmpty else { return (String(host), nil) }
    guard rest.first == ":", let port = AuthoritySyntax.port(rest.dropFirst()) else {
      throw invalid(
        "The port of \"\(printable(authority))\" is not a number from 1 to 65535 without leading zeros; correct it."
      )
    }
    return (String(host), port)
  }

  private static func path(_ path: String, method: HTTPRequest.Method) throws(NetworkError) -> String {
    guard method != .connect else {
      throw invalid("CONNECT opens tunnels, which this dispatcher doesn't; choose another method.")
    }
    if path == "*", method == .options { return path }
    guard !path.isEmpty else { return "/" }
    guard path.utf8.first == UInt8(ascii: "/") else {
      throw invalid(
        "The path doesn't begin with \"/\"; begin it with one, and put the host into the authority.")
    }
    if path.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }) { return path }
    for (offset, byte) in path.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "#"):
        throw invalid(
          "The path holds a fragment from byte \(offset) on; a fragment is never sent, remove it.")
      case 0x21...0x7E: continue
      default:
        throw invalid(
          "The path holds the byte 0x\(String(byte, radix: 16)) at \(offset); percent-encode spaces, controls "
            + "and what is not ASCII.")
      }
    }
    return path
  }
}

extension RequestTarget {
  static func invalid(_ reason: String) -> NetworkError { NetworkError(.invalidRequest, reason) }

  /// The text as an error's sentence can hold it: cut off, and only visible ASCII.
  static func printable(_ text: String) -> String {
    String(text.unicodeScalars.prefix(100).map { (0x20...0x7E).contains($0.value) ? Character($0) : "?" })
  }

  static func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
