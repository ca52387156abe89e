import Foundation
import HTTPTypes
import Interception

/// The destination of a request, as a URL that is identical to what the request specifies.
struct RequestAddress: Sendable, Hashable {
  let url: URL
  let authority: String
  /// The host and port, to which the limit per origin applies, and which error messages name.
  let origin: String

  /// Validates the scheme, authority and path.
  ///
  /// - Throws: ``NetworkError/Kind/invalidRequest``, which names the invalid part.
  init(_ head: HTTPRequest) throws(NetworkError) {
    let scheme = (head.scheme ?? "").lowercased()
    guard scheme == "https" || scheme == "http" else {
      throw Self.invalid("The scheme \"\(Self.printable(scheme))\" is not supported; use https or http.")
    }
    let authority = head.authority ?? ""
    guard !authority.isEmpty else {
      throw Self.invalid("The request has no authority; set it to the host, such as api.example.org.")
    }
    // User name and password are secrets and must not be part of the message.
    guard !authority.contains("@") else {
      throw Self.invalid(
        "The authority contains user information; send it in the Authorization field instead.")
    }
    if let end = authority.firstIndex(of: "]"), authority.hasPrefix("[") {
      do throws(ScopedAddress.Fault) {
        guard try ScopedAddress(authority[..<end].dropFirst()).address.isVersion6 else { throw .noAddress }
      } catch {
        throw Self.invalid("The host of \"\(Self.printable(authority))\" \(error)")
      }
    }
    // The address in brackets was checked, and a percent sign begins its zone.
    let name = authority.lastIndex(of: "]").map { authority[$0...] } ?? authority[...]
    guard name.utf8.allSatisfy(Self.isAuthorityByte) else {
      throw Self.invalid(
        "The authority \"\(Self.printable(authority))\" contains a byte that is invalid in a host name; write other scripts in "
          + "their ASCII form, which begins with xn--.")
    }
    let path = try Self.path(head.path ?? "/", method: head.method)
    let text = "\(scheme)://\(authority)\(path)"
    // Characters that Foundation encodes or corrects would address another resource than the one requested,
    // and perhaps signed.
    guard let url = URL(string: text), url.absoluteString == text, let host = url.host, !host.isEmpty else {
      throw Self.invalid(
        "URL cannot represent the request to \(Self.printable(authority)) as written; check the host and port, and "
          + "percent-encode characters that RFC 3986 does not allow in a path or a query.")
    }
    guard authority.hasPrefix("[") || !AuthoritySyntax.isAmbiguous(host: host[...]) else {
      throw Self.invalid(
        "The host of \"\(Self.printable(authority))\" ends in a number, which parsers interpret differently; write "
          + "an IPv4 address as four decimal numbers without leading zeros, such as 192.0.2.1, or use a name."
      )
    }
    if let text = Self.portText(of: authority) {
      guard let port = AuthoritySyntax.port(text), url.port == port else {
        throw Self.invalid(
          "The port of \"\(Self.printable(authority))\" is not a number from 1 to 65535 without leading zeros; "
            + "correct it.")
      }
    }
    self.url = url
    self.authority = authority
    origin = "\(host.lowercased()):\(url.port ?? (scheme == "https" ? 443 : 80))"
  }

  static func invalid(_ reason: String) -> NetworkError { NetworkError(.invalidRequest, reason) }

  /// Replaces all characters except visible ASCII and truncates the text, for use in error messages.
  static func printable(_ text: String) -> String {
    String(text.unicodeScalars.prefix(100).map { (0x20...0x7E).contains($0.value) ? Character($0) : "?" })
  }

  private static func path(_ path: String, method: HTTPRequest.Method) throws(NetworkError) -> String {
    guard method != .connect else {
      throw invalid("CONNECT opens a tunnel, which this dispatcher does not support; use another method.")
    }
    guard !path.isEmpty else { return "/" }
    guard path.utf8.first == UInt8(ascii: "/") else {
      throw invalid(
        "The path does not begin with \"/\"; add it. URLSession does not support other targets, such as "
          + "\"*\"; send those through CurlDispatcher.")
    }
    for (offset, byte) in path.utf8.enumerated() where !(0x21...0x7E).contains(byte) || byte == 0x23 {
      throw invalid(
        "The path contains the byte 0x\(String(byte, radix: 16)) at \(offset); remove a fragment, and percent-encode "
          + "spaces, control characters and non-ASCII characters.")
    }
    let segments = path.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
    guard !segments.contains(where: isDotSegment) else {
      throw invalid(
        "The path has a dot segment, which Foundation removes; resolve it, or send the request through "
          + "CurlDispatcher, which sends paths unchanged.")
    }
    return path
  }

  private static func isDotSegment(_ segment: Substring) -> Bool {
    let plain = segment.lowercased().replacing("%2e", with: ".")
    return plain == "." || plain == ".."
  }

  private static func portText(of authority: String) -> Substring? {
    let afterHost = authority.lastIndex(of: "]").map { authority[$0...] } ?? authority[...]
    guard let colon = afterHost.firstIndex(of: ":") else { return nil }
    return afterHost[afterHost.index(after: colon)...]
  }

  private static func isAuthorityByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
      true
    default: false
    }
  }
}
