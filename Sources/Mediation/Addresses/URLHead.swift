/// Scheme, host and port of a URL, checked; the path is not looked at yet.
///
/// A web address that no module claims goes to the web page as it is, so its path and query need not
/// keep this profile; what decides where the user ends up, scheme and host, always must.
struct URLHead: Sendable {
  let bytes: [UInt8]
  let scheme: String
  let host: String
  let port: Int?
  /// The offset of the first byte after the authority.
  let end: Int

  var isWeb: Bool { Self.isWeb(scheme) }

  static func isWeb(_ scheme: String) -> Bool { scheme == "http" || scheme == "https" }

  init(_ text: String) throws(URLFault) {
    let bytes = Array(text.utf8)
    guard bytes.count <= URLLimits.url else {
      throw URLFault(.tooLong(limit: URLLimits.url), at: URLLimits.url)
    }
    // A backslash is a slash to browsers and a plain byte to RFC 3986, so two readers could see two hosts.
    for (offset, byte) in bytes.enumerated() {
      if byte == 0 { throw URLFault(.nul, at: offset) }
      if byte <= 0x20 || byte == 0x7F || byte == UInt8(ascii: "\\") {
        throw URLFault(.illegalCharacter(byte), at: offset)
      }
    }
    self.bytes = bytes
    let colon = try Self.schemeEnd(bytes)
    scheme = String(decoding: bytes[..<colon].map(Self.lowercase), as: UTF8.self)
    guard bytes.count > colon + 2, bytes[colon + 1] == Self.slash, bytes[colon + 2] == Self.slash else {
      throw URLFault(.noAuthority, at: colon + 1)
    }
    let start = colon + 3
    end = bytes[start...].firstIndex(where: Self.endsAuthority) ?? bytes.count
    if let sign = bytes[start..<end].firstIndex(of: UInt8(ascii: "@")) {
      throw URLFault(.userInformation, at: sign)
    }
    if Self.isWeb(scheme) {
      (host, port) = try Self.webAuthority(bytes, start..<end, defaultPort: scheme == "https" ? 443 : 80)
    } else {
      host = try Self.appHost(bytes, start..<end)
      port = nil
    }
  }

  static let slash = UInt8(ascii: "/")

  private static func endsAuthority(_ byte: UInt8) -> Bool {
    byte == slash || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
  }

  static func lowercase(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  /// The offset of the colon after a legal scheme (RFC 3986, section 3.1).
  static func schemeEnd(_ bytes: [UInt8]) throws(URLFault) -> Int {
    for (offset, byte) in bytes.enumerated() {
      switch lowercase(byte) {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): continue
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
        if offset == 0 { throw URLFault(.noScheme, at: 0) }
      case UInt8(ascii: ":"):
        if offset == 0 { throw URLFault(.noScheme, at: 0) }
        return offset
      default: throw URLFault(.noScheme, at: offset)
      }
    }
    throw URLFault(.noScheme, at: bytes.count)
  }

  /// The host of an app's own scheme: a segment like the others, but without regard to ASCII case.
  private static func appHost(_ bytes: [UInt8], _ range: Range<Int>) throws(URLFault) -> String {
    if range.isEmpty { throw URLFault(.emptyHost, at: range.lowerBound) }
    if let colon = bytes[range].firstIndex(of: UInt8(ascii: ":")) { throw URLFault(.port, at: colon) }
    if let offset = bytes[range].firstIndex(where: isForbiddenInHost) {
      throw URLFault(.illegalHost, at: offset)
    }
    var decoded: [UInt8] = []
    _ = try PercentEncoding.decode(bytes, range, into: &decoded)
    if decoded.count > URLLimits.parameter {
      throw URLFault(.parameterTooLong(limit: URLLimits.parameter), at: range.lowerBound)
    }
    if decoded == [UInt8(ascii: ".")] || decoded == [UInt8(ascii: "."), UInt8(ascii: ".")] {
      throw URLFault(.dotSegment, at: range.lowerBound)
    }
    return String(decoding: decoded.map(lowercase), as: UTF8.self)
  }

  private static func webAuthority(
    _ bytes: [UInt8], _ range: Range<Int>, defaultPort: Int
  ) throws(URLFault) -> (String, Int?) {
    var hostEnd = range.upperBound
    var portStart: Int?
    if range.lowerBound < range.upperBound, bytes[range.lowerBound] == UInt8(ascii: "[") {
      guard let bracket = bytes[range].firstIndex(of: UInt8(ascii: "]")) else {
        throw URLFault(.illegalHost, at: range.lowerBound)
      }
      for offset in (range.lowerBound + 1)..<bracket
      where PercentEncoding.digit(bytes[offset]) == nil && bytes[offset] != UInt8(ascii: ":")
        && bytes[offset] != UInt8(ascii: ".")
      {
        throw URLFault(.illegalHost, at: offset)
      }
      hostEnd = bracket + 1
      if hostEnd < range.upperBound {
        guard bytes[hostEnd] == UInt8(ascii: ":") else { throw URLFault(.illegalHost, at: hostEnd) }
        portStart = hostEnd + 1
      }
    } else {
      if let colon = bytes[range].firstIndex(of: UInt8(ascii: ":")) {
        hostEnd = colon
        portStart = colon + 1
      }
      for offset in range.lowerBound..<hostEnd
      where isForbiddenInHost(bytes[offset]) || bytes[offset] == UInt8(ascii: "%") {
        throw URLFault(.illegalHost, at: offset)
      }
    }
    // "good.example." and "good.example" are one host to a resolver.
    if hostEnd > range.lowerBound, bytes[hostEnd - 1] == UInt8(ascii: ".") { hostEnd -= 1 }
    guard hostEnd > range.lowerBound, bytes[range.lowerBound] != UInt8(ascii: ".") else {
      throw URLFault(.emptyHost, at: range.lowerBound)
    }
    let host = String(decoding: bytes[range.lowerBound..<hostEnd].map(lowercase), as: UTF8.self)
    guard let portStart else { return (host, nil) }
    let digits = bytes[portStart..<range.upperBound]
    guard (1...5).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw URLFault(.port, at: portStart)
    }
    let port = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    guard port <= 65535 else { throw URLFault(.port, at: portStart) }
    return (host, port == defaultPort ? nil : port)
  }

  private static func isForbiddenInHost(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "["), UInt8(ascii: "]"),
      UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
      true
    default: false
    }
  }
}
