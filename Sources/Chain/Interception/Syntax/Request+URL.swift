public import HTTPTypes

extension Request {
  /// Creates a request for a URL.
  ///
  /// ```swift
  /// let request = try Request("https://api.example.com/homes/42?fields=street")
  /// ```
  ///
  /// The URL is absolute (RFC 3986, section 4.3). Characters outside ASCII in its path and query are
  /// percent-encoded as UTF-8 (RFC 3987, section 3.1), and its fragment is not sent (RFC 9110, section 7.1).
  /// Everything else is sent as written; to add values that need encoding to a query, use `appendQuery(_:)`
  /// of `BodyFormats`. The scheme and the host are checked by the dispatcher.
  ///
  /// - Throws: ``NetworkError/Kind/invalidRequest`` if the URL has no scheme or no host, contains a user name
  ///   or password, or contains a character that a URL cannot have. The error never repeats the URL.
  public init(
    _ url: String, method: HTTPRequest.Method = .get, headerFields: HTTPFields = [:],
    body: RequestBody = .empty
  ) throws(NetworkError) {
    let parts = try AbsoluteURL(url)
    self.init(
      method: method, scheme: parts.scheme, authority: parts.authority, path: parts.path,
      headerFields: headerFields, body: body)
  }
}

/// The origin of a request's URL: scheme, host and port (RFC 9110, section 4.3.1).
package struct RequestOrigin: Sendable, Hashable, CustomStringConvertible {
  private let scheme: String
  private let authority: String

  /// Creates the origin of a request; case, a user name and the scheme's default port are ignored.
  package init(_ head: HTTPRequest) {
    scheme = Self.lowercased(head.scheme ?? "")
    var authority = Self.lowercased(head.authority ?? "")
    if let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) {
      authority = String(authority[authority.utf8.index(after: at)...])
    }
    let port = scheme == "https" ? ":443" : scheme == "http" ? ":80" : nil
    if let port, authority.utf8.count > port.utf8.count, authority.hasSuffix(port) {
      authority.removeLast(port.utf8.count)
    }
    self.authority = authority
  }

  /// Returns a text in lower case; nearly all are, and need no copy.
  private static func lowercased(_ text: String) -> String {
    text.utf8.contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ? text.lowercased() : text
  }

  /// The origin as a URL without a path, such as "https://api.example:8443".
  package var description: String { "\(scheme)://\(authority)" }
}

/// The parts of an absolute URL that a request is sent with (RFC 3986, section 3).
struct AbsoluteURL: Hashable {
  /// The scheme, in lowercase.
  let scheme: String
  /// The host, and the port if the URL has one.
  let authority: String
  /// The path, which starts with a slash, and the query.
  let path: String

  /// Splits a URL and checks its characters.
  init(_ url: String) throws(NetworkError) {
    let text = url.utf8
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")), text[colon...].starts(with: "://".utf8),
      Self.isScheme(text[..<colon])
    else {
      throw Self.fault(Self.schemeFault(url))
    }
    scheme = String(url[..<colon]).lowercased()

    let start = text.index(colon, offsetBy: 3)
    let end = text[start...].firstIndex { "/?#".utf8.contains($0) } ?? text.endIndex
    try Self.check(authority: text[start..<end], at: text.distance(from: text.startIndex, to: start))
    authority = String(url[start..<end])

    let fragment = text[end...].firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
    let target = try Self.encoded(
      text[end..<fragment], at: text.distance(from: text.startIndex, to: end))
    path = target.utf8.first == UInt8(ascii: "/") ? target : "/\(target)"
  }

  /// Whether a text is a scheme (RFC 3986, section 3.1).
  private static func isScheme(_ text: Substring.UTF8View) -> Bool {
    guard let first = text.first, isLetter(first) else { return false }
    return text.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  /// What is wrong with a text that does not begin with a scheme and "://".
  private static func schemeFault(_ url: String) -> String {
    let text = url.utf8
    // A digit follows the colon of a host and port.
    if let colon = text.firstIndex(of: UInt8(ascii: ":")), isScheme(text[..<colon]),
      let next = text[colon...].dropFirst().first, !(0x30...0x39).contains(next)
    {
      // Any other scheme may be a user name, which no error repeats.
      if let meant = nearMiss(of: text[..<colon]) {
        return
          "has the scheme \"\(url[..<colon])\"; write \(meant)://, as in \(meant)://api.example.com/homes"
      }
      return "has no \"//\" after its scheme; write it as in https://api.example.com/homes"
    }
    return "has no scheme; begin it with https://, as in https://api.example.com/homes"
  }

  /// The scheme of a request from which a text differs by one character, or by two in another order; nil if
  /// there is none.
  private static func nearMiss(of text: Substring.UTF8View) -> String? {
    let typed = text.map { isLetter($0) ? $0 | 0x20 : $0 }
    let schemes = ["https", "http"]
    guard !schemes.contains(where: { $0.utf8.elementsEqual(typed) }) else { return nil }
    return schemes.first { scheme in
      let meant = Array(scheme.utf8)
      let start = zip(typed, meant).prefix { $0 == $1 }.count
      let (typedRest, meantRest) = (typed.dropFirst(start), meant.dropFirst(start))
      let end = zip(typedRest.reversed(), meantRest.reversed()).prefix { $0 == $1 }.count
      let (wrong, right) = (typedRest.dropLast(end), meantRest.dropLast(end))
      return max(wrong.count, right.count) == 1 || wrong.count == 2 && wrong.elementsEqual(right.reversed())
    }
  }

  private static func check(authority: Substring.UTF8View, at offset: Int) throws(NetworkError) {
    guard !authority.isEmpty else {
      throw fault("names no host after \"://\"; add it, as in https://api.example.com/homes")
    }
    // What follows the scheme may be a password, so no error repeats it.
    guard !authority.contains(UInt8(ascii: "@")) else {
      throw fault("contains a user name or password; send it in the Authorization field instead")
    }
    // A password that contains "/", "?" or "#" ends the authority before the "@".
    let port = authority.lastIndex(of: UInt8(ascii: ":")).map { authority[authority.index(after: $0)...] }
    if authority.last != UInt8(ascii: "]"), let port, !port.allSatisfy({ (0x30...0x39).contains($0) }) {
      throw fault("has a port that is no number; correct it, and send a password in the Authorization field")
    }
    for (place, byte) in authority.enumerated() where !PercentEncoding.isLegal(byte) {
      let remedy =
        byte < 0x80
        ? "remove \(name(of: byte))" : "write the host in its ASCII form, which begins with xn--"
      throw fault("cannot be read at byte \(offset + place), in its host; \(remedy)")
    }
  }

  /// Returns a path and query with characters outside ASCII percent-encoded.
  private static func encoded(_ target: Substring.UTF8View, at offset: Int) throws(NetworkError) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(target.count + 1)
    var place = target.startIndex
    while place < target.endIndex {
      let byte = target[place]
      if byte >= 0x80 {
        PercentEncoding.append(byte, to: &bytes)
      } else if PercentEncoding.isLegal(byte) {
        bytes.append(byte)
      } else {
        throw fault(
          "contains \(name(of: byte)) at byte \(offset + target.distance(from: target.startIndex, to: place)); "
            + "write it as \(PercentEncoding.encode([byte]) { _ in false })")
      }
      target.formIndex(after: &place)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func name(of byte: UInt8) -> String {
    switch byte {
    case 0x20: "a space"
    case 0x21...0x7E: "the character \(Character(Unicode.Scalar(byte)))"
    default: "a control character"
    }
  }

  private static func fault(_ problem: String) -> NetworkError {
    NetworkError(.invalidRequest, "The URL \(problem).")
  }
}
