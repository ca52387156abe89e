/// The checked scheme, host and port of a URL; the rest is only checked for characters that no URL may
/// contain.
///
/// A web URL that no module claims goes to the web page as it is, so its path and query need not conform to
/// the profile. The scheme and the host, which decide where the user ends up, always must.
package struct URLHead: Sendable {
  package let scheme: String
  package let host: String
  package let port: Int?
  /// The offset of the first byte after the authority.
  let end: Int
  /// Whether nothing follows the authority.
  package let isWhole: Bool

  var isWeb: Bool { Self.isWeb(scheme) }

  static let slash = UInt8(ascii: "/")

  static func isWeb(_ scheme: String) -> Bool { scheme == "http" || scheme == "https" }

  package init(_ text: String) throws(RouteURL.SyntaxError) {
    self = try SpanAccess.withBytes(of: text) { bytes throws(RouteURL.SyntaxError) in
      try URLHead(wholeURL: bytes)
    }
  }

  /// Reads the head of a whole URL.
  private init(wholeURL bytes: Span<UInt8>) throws(RouteURL.SyntaxError) {
    let scan = try URLScan(headOf: bytes)
    for offset in scan.headEnd..<bytes.count {
      let byte = bytes[offset]
      if byte == 0 { throw RouteURL.SyntaxError(.nul, at: offset) }
      if byte <= 0x20 || byte == 0x7F || byte == UInt8(ascii: "\\") {
        throw RouteURL.SyntaxError(.illegalCharacter(byte), at: offset)
      }
    }
    self.init(bytes, scan)
  }

  init(_ bytes: Span<UInt8>, _ scan: borrowing URLScan) {
    var decoded: [UInt8] = []
    _ = PercentEncoding.decode(bytes, 0..<scan.schemeEnd, into: &decoded)
    scheme = String(decoding: decoded.map(Self.lowercase), as: UTF8.self)
    decoded.removeAll(keepingCapacity: true)
    _ = PercentEncoding.decode(bytes, scan.host, into: &decoded)
    host = String(decoding: decoded.map(Self.lowercase), as: UTF8.self)
    port = scan.port
    end = scan.headEnd
    isWhole = scan.headEnd == bytes.count
  }

  package static func lowercase(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}

/// The authority of a URL that is being scanned.
struct URLAuthority {
  let start: Int
  /// The offset of the slash, question mark or number sign that ends it, or the end of the text.
  let end: Int
  private var colon: Int?
  private var hasEscape = false
  /// The offset of the first character that no host may contain.
  private var illegal: Int?

  /// Finds the end of the authority and the delimiters in it.
  ///
  /// - Throws: `RouteURL.SyntaxError` for user information and for characters that no URL may contain.
  init(_ bytes: Span<UInt8>, from start: Int) throws(RouteURL.SyntaxError) {
    self.start = start
    var end = start
    var sign: Int?
    while end < bytes.count {
      let byte = bytes[end]
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-")...UInt8(ascii: "."),
        UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...0xFF:
        end += 1
        continue
      case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): break
      case UInt8(ascii: "@"):
        if sign == nil { sign = end }
        end += 1
        continue
      case UInt8(ascii: ":"):
        if colon == nil { colon = end }
        end += 1
        continue
      case UInt8(ascii: "%"):
        hasEscape = true
        end += 1
        continue
      case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "["), UInt8(ascii: "]"),
        UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
        if illegal == nil { illegal = end }
        end += 1
        continue
      default:
        // Browsers read a backslash as a slash, RFC 3986 as an ordinary byte, so two readers could see
        // different hosts.
        try PercentEncoding.checkBare(byte, at: end)
        end += 1
        continue
      }
      break
    }
    self.end = end
    if let sign { throw RouteURL.SyntaxError(.userInformation, at: sign) }
  }

  /// Creates an authority of letters, digits, `-`, `.` and `_` only.
  init(plain place: Range<Int>) {
    start = place.lowerBound
    end = place.upperBound
  }

  /// Checks the host of an app's own scheme by the rules of a segment, and returns whether it is
  /// percent-encoded.
  func checkAppHost(_ bytes: Span<UInt8>) throws(RouteURL.SyntaxError) -> Bool {
    if start == end { throw RouteURL.SyntaxError(.emptyHost, at: start) }
    if let colon { throw RouteURL.SyntaxError(.port, at: colon) }
    if let illegal { throw RouteURL.SyntaxError(.illegalHost, at: illegal) }
    var part = URLPart(from: start)
    if hasEscape {
      for offset in start..<end where bytes[offset] == UInt8(ascii: "%") {
        try part.addEscape(bytes, at: offset)
      }
    }
    try part.check(bytes, end: end)
    if PercentEncoding.isDots(bytes, start..<end) { throw RouteURL.SyntaxError(.dotSegment, at: start) }
    return hasEscape
  }

  /// Checks the host and port of a web URL, and returns where the host ends and the port, unless it is the
  /// default.
  func webHost(_ bytes: Span<UInt8>, defaultPort: Int) throws(RouteURL.SyntaxError) -> (end: Int, port: Int?)
  {
    var hostEnd = end
    var portStart: Int?
    if start < end, bytes[start] == UInt8(ascii: "[") {
      hostEnd = try addressEnd(bytes)
      if hostEnd < end {
        guard bytes[hostEnd] == UInt8(ascii: ":") else {
          throw RouteURL.SyntaxError(.illegalHost, at: hostEnd)
        }
        portStart = hostEnd + 1
      }
    } else {
      if let colon {
        hostEnd = colon
        portStart = colon + 1
      }
      if let illegal, illegal < hostEnd { throw RouteURL.SyntaxError(.illegalHost, at: illegal) }
      if hasEscape {
        for offset in start..<hostEnd where bytes[offset] == UInt8(ascii: "%") {
          throw RouteURL.SyntaxError(.illegalHost, at: offset)
        }
      }
    }
    for offset in start..<hostEnd where bytes[offset] == UInt8(ascii: ".") {
      if offset + 1 < hostEnd, bytes[offset + 1] == UInt8(ascii: ".") {
        throw RouteURL.SyntaxError(.illegalHost, at: offset + 1)
      }
    }
    // "good.example." and "good.example" are the same host to a resolver.
    if hostEnd > start, bytes[hostEnd - 1] == UInt8(ascii: ".") { hostEnd -= 1 }
    guard hostEnd > start, bytes[start] != UInt8(ascii: ".") else {
      throw RouteURL.SyntaxError(.emptyHost, at: start)
    }
    guard let portStart else { return (hostEnd, nil) }
    let port = try port(bytes, from: portStart)
    return (hostEnd, port == defaultPort ? nil : port)
  }

  /// Returns the offset after a bracketed IPv6 address.
  private func addressEnd(_ bytes: Span<UInt8>) throws(RouteURL.SyntaxError) -> Int {
    var offset = start + 1
    while offset < end {
      let byte = bytes[offset]
      if byte == UInt8(ascii: "]") { return offset + 1 }
      guard PercentEncoding.digit(byte) != nil || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
      else {
        throw RouteURL.SyntaxError(.illegalHost, at: offset)
      }
      offset += 1
    }
    throw RouteURL.SyntaxError(.illegalHost, at: start)
  }

  private func port(_ bytes: Span<UInt8>, from portStart: Int) throws(RouteURL.SyntaxError) -> Int {
    guard (1...5).contains(end - portStart) else { throw RouteURL.SyntaxError(.port, at: portStart) }
    var port = 0
    for offset in portStart..<end {
      guard (0x30...0x39).contains(bytes[offset]) else { throw RouteURL.SyntaxError(.port, at: portStart) }
      port = port * 10 + Int(bytes[offset] - 0x30)
    }
    guard port <= 65535 else { throw RouteURL.SyntaxError(.port, at: portStart) }
    return port
  }
}
