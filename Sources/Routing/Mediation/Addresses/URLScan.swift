/// A text that was checked against the URL profile, and the offsets of its parts.
///
/// Look-ups use it: it has fixed-size buffers and allocates nothing. A part is decoded from the text only
/// when it is needed. `RouteURL` is the same URL as a value to keep.
struct URLScan: ~Copyable {
  /// The offset of the scheme's colon.
  private(set) var schemeEnd = 0
  /// The offset after the host, not counting the trailing dot of a web host.
  private(set) var hostEnd = 0
  /// The offset after the authority.
  private(set) var headEnd = 0
  /// The port of a web URL, unless it is the scheme's default.
  private(set) var port: Int?
  private(set) var isWeb = false
  /// Whether the host of an app's own scheme contains percent-encoded bytes.
  private(set) var isHostEscaped = false
  private(set) var segmentCount = 0
  /// The offset of each segment and, after the last one, the offset after the byte that ends it.
  private(set) var starts = SpanAccess.Offsets()
  /// One bit per segment, set if the segment contains percent-encoded bytes.
  private(set) var escaped: UInt64 = 0
  /// The query without its question mark; empty if there is none.
  private(set) var query = 0..<0
  /// The fragment without its number sign; nil if there is none.
  private(set) var fragment: Range<Int>?

  /// Scans an entire text in linear time.
  ///
  /// - Throws: `RouteURL.SyntaxError` with the offset of the offending byte.
  init(_ bytes: Span<UInt8>) throws(RouteURL.SyntaxError) { try read(bytes) }

  /// Creates an empty scan, to be filled by `read`.
  init() {}

  /// Scans an entire text in place, which saves a look-up from copying the buffer.
  mutating func read(_ bytes: Span<UInt8>) throws(RouteURL.SyntaxError) {
    let marks = ByteWords.marks(bytes, from: 0)
    if !(try scanPlainHead(bytes, marks)) { try scanHead(bytes) }
    let pathEnd = try scanPath(bytes, marks)
    var end = pathEnd
    if end < bytes.count, bytes[end] == UInt8(ascii: "?") {
      end = try Self.scanFields(bytes, from: pathEnd + 1)
      query = (pathEnd + 1)..<end
    }
    if end < bytes.count {
      try Self.scanFragment(bytes, from: end + 1)
      fragment = (end + 1)..<bytes.count
    }
  }

  /// Scans the scheme, host and port only.
  init(headOf bytes: Span<UInt8>) throws(RouteURL.SyntaxError) {
    try scanHead(bytes)
  }

  private mutating func scanHead(_ bytes: Span<UInt8>) throws(RouteURL.SyntaxError) {
    guard bytes.count <= URLLimits.url else {
      throw RouteURL.SyntaxError(.tooLong(limit: URLLimits.url), at: URLLimits.url)
    }
    schemeEnd = try Self.scanScheme(bytes)
    isWeb = Self.isWeb(bytes, schemeEnd)
    let authority = try URLAuthority(bytes, from: schemeEnd + 3)
    headEnd = authority.end
    if isWeb {
      (hostEnd, port) = try authority.webHost(bytes, defaultPort: schemeEnd == 5 ? 443 : 80)
    } else {
      hostEnd = authority.end
      isHostEscaped = try authority.checkAppHost(bytes)
    }
  }

  /// The range of the host.
  var host: Range<Int> { (schemeEnd + 3)..<hostEnd }

  /// Returns the range of a path segment in the text, as encoded there, given the offsets of all segments.
  @inline(__always)
  static func segment(_ index: Int, _ starts: Span<UInt16>) -> Range<Int> {
    let start = Int(starts[index])
    // A segment has at least one byte, so its end is never before its start.
    return start..<max(start, Int(starts[index + 1]) &- 1)
  }

  /// Returns the offset of the colon after a valid scheme (RFC 3986, section 3.1), which `//` must follow.
  private static func scanScheme(_ bytes: Span<UInt8>) throws(RouteURL.SyntaxError) -> Int {
    let end = try schemeEnd(bytes)
    guard bytes.count > end + 2, bytes[end + 1] == UInt8(ascii: "/"), bytes[end + 2] == UInt8(ascii: "/")
    else {
      throw RouteURL.SyntaxError(.noAuthority, at: end + 1)
    }
    return end
  }

  /// Returns the offset of the colon after a valid scheme.
  static func schemeEnd(_ bytes: Span<UInt8>) throws(RouteURL.SyntaxError) -> Int {
    for offset in bytes.indices {
      let byte = bytes[offset]
      switch byte | 0x20 {
      case UInt8(ascii: "a")...UInt8(ascii: "z") where byte >= UInt8(ascii: "A"): continue
      default: break
      }
      switch byte {
      case UInt8(ascii: ":") where offset > URLLimits.scheme:
        throw RouteURL.SyntaxError(.parameterTooLong(limit: URLLimits.scheme), at: 0)
      case UInt8(ascii: ":") where offset > 0: return offset
      case UInt8(ascii: "0")...UInt8(ascii: "9") where offset > 0: continue
      case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
        if offset > 0 { continue }
        throw RouteURL.SyntaxError(.noScheme, at: 0)
      default:
        try PercentEncoding.checkBare(byte, at: offset)
        throw RouteURL.SyntaxError(.noScheme, at: offset)
      }
    }
    throw RouteURL.SyntaxError(.noScheme, at: bytes.count)
  }

  private static func isWeb(_ bytes: Span<UInt8>, _ end: Int) -> Bool {
    guard end == 4 || end == 5 else { return false }
    // "http", with the first letter in the lowest byte.
    let four = ByteWords.lowercase(ByteWords.load(bytes, at: 0, count: 4))
    return four == 0x7074_7468 && (end == 4 || bytes[4] | 0x20 == UInt8(ascii: "s"))
  }

  /// Scans a head of the usual form using the marks of the first bytes; returns false for any other head,
  /// valid or not.
  ///
  /// The usual form is a scheme of up to eight letters, a host of plain bytes that does not begin with a dot,
  /// and no port, in a text within the limit.
  @inline(__always)
  private mutating func scanPlainHead(_ bytes: Span<UInt8>, _ marks: UInt64) throws(RouteURL.SyntaxError)
    -> Bool
  {
    let colon = marks.trailingZeroBitCount
    let start = colon &+ 3
    guard colon >= 1, colon <= 8, bytes.count >= 16, bytes.count <= URLLimits.url,
      // "://", with the colon in the lowest byte.
      ByteWords.load(bytes, at: colon) & 0xFF_FFFF == 0x2F_2F3A
    else { return false }
    let scheme = UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- (colon &<< 3))
    let folded = ByteWords.load(bytes, at: 0) | ByteWords.each(0x20)
    // Among plain bytes, only letters give a sum whose two highest bits are 01: an underscore sets the
    // highest bit, and digits, `-` and `.` set neither.
    guard ((folded &+ ByteWords.each(5)) ^ ByteWords.each(0x40)) & ByteWords.each(0xC0) & scheme == 0 else {
      return false
    }
    let rest = marks & (UInt64.max &<< UInt64(truncatingIfNeeded: start))
    let end = rest == 0 ? bytes.count : rest.trailingZeroBitCount
    guard end <= 64, end > start, bytes[start] != UInt8(ascii: ".") else { return false }
    if end < bytes.count {
      let byte = bytes[end]
      guard byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") else {
        return false
      }
    }
    // "http" and "https", with the first letter in the lowest byte.
    isWeb = folded & scheme == 0x7074_7468 || folded & scheme == 0x73_7074_7468
    schemeEnd = colon
    headEnd = end
    hostEnd = end
    if isWeb {
      (hostEnd, port) = try URLAuthority(plain: start..<end).webHost(
        bytes, defaultPort: colon == 5 ? 443 : 80)
    }
    return true
  }

  /// Splits the path on raw slashes and returns the offset after it.
  ///
  /// - Parameter marks: The marks of the text's first bytes.
  private mutating func scanPath(_ bytes: Span<UInt8>, _ marks: UInt64) throws(RouteURL.SyntaxError) -> Int {
    let count = bytes.count
    var segment = URLPart(from: headEnd &+ 1)
    var end = count
    var base = 0
    var marks = marks & (UInt64.max &<< UInt64(truncatingIfNeeded: headEnd))
    if headEnd >= 64 {
      base = headEnd
      marks = ByteWords.marks(bytes, from: base)
    }
    // The slash after the host does not end a segment.
    if headEnd < count, bytes[headEnd] == UInt8(ascii: "/") { marks &= marks &- 1 }
    scan: while true {
      while marks != 0 {
        let at = base &+ marks.trailingZeroBitCount
        marks &= marks &- 1
        let byte = bytes[at]
        if byte == UInt8(ascii: "/") {
          try close(segment, bytes, at: at)
          segment = URLPart(from: at &+ 1)
          continue
        }
        switch byte {
        case UInt8(ascii: "%"): try segment.addEscape(bytes, at: at)
        case UInt8(ascii: "?"), UInt8(ascii: "#"):
          end = at
          break scan
        default: try PercentEncoding.checkBare(byte, at: at)
        }
      }
      base &+= 64
      if base >= count { break }
      marks = ByteWords.marks(bytes, from: base)
    }
    // A single trailing slash is ignored.
    if segment.start < end {
      try close(segment, bytes, at: end)
      starts.set(segmentCount, to: end &+ 1)
    } else {
      starts.set(segmentCount, to: segment.start)
    }
    return end
  }

  @inline(__always)
  private mutating func close(_ segment: URLPart, _ bytes: Span<UInt8>, at end: Int) throws(RouteURL
    .SyntaxError)
  {
    let length = end &- segment.start
    // Most segments need no further checks.
    if length < 1 || length > URLLimits.parameter || segment.escapes > 0 || segmentCount == URLLimits.segments
      || bytes[segment.start] == UInt8(ascii: ".")
    {
      try check(segment, bytes, at: end)
    }
    starts.set(segmentCount, to: segment.start)
    segmentCount &+= 1
  }

  @inline(never)
  private mutating func check(_ segment: URLPart, _ bytes: Span<UInt8>, at end: Int) throws(RouteURL
    .SyntaxError)
  {
    if segment.start == end { throw RouteURL.SyntaxError(.emptySegment, at: end) }
    if segmentCount == URLLimits.segments {
      throw RouteURL.SyntaxError(.tooManySegments(limit: URLLimits.segments), at: segment.start)
    }
    try segment.check(bytes, end: end)
    if end - segment.start - 2 * segment.escapes <= 2,
      PercentEncoding.isDots(bytes, segment.start..<end)
    {
      throw RouteURL.SyntaxError(.dotSegment, at: segment.start)
    }
    if segment.escapes > 0 { escaped |= 1 &<< UInt64(segmentCount) }
  }
}

/// A segment, a query name or value, or the fragment of a URL that is being scanned.
struct URLPart {
  let start: Int
  /// The number of percent-encoded bytes.
  private(set) var escapes = 0
  /// Whether a percent-encoded byte is not ASCII.
  private(set) var isWide = false

  @inline(__always)
  init(from start: Int) { self.start = start }

  /// Records the `%XX` at an offset.
  mutating func addEscape(_ bytes: Span<UInt8>, at offset: Int) throws(RouteURL.SyntaxError) {
    let byte = try PercentEncoding.escape(bytes, at: offset)
    escapes += 1
    if byte >= 0x80 { isWide = true }
  }

  /// Checks that the decoded bytes are UTF-8 and within the limit of a parameter.
  @inline(__always)
  func check(_ bytes: Span<UInt8>, end: Int) throws(RouteURL.SyntaxError) {
    try checkEncoding(bytes, end: end)
    if end - start - 2 * escapes > URLLimits.parameter {
      throw RouteURL.SyntaxError(.parameterTooLong(limit: URLLimits.parameter), at: start)
    }
  }

  /// Checks that the decoded bytes are UTF-8; bytes that are not encoded are, because they come from a
  /// string.
  @inline(__always)
  func checkEncoding(_ bytes: Span<UInt8>, end: Int) throws(RouteURL.SyntaxError) {
    if isWide, !PercentEncoding.isUTF8(bytes, start..<end) {
      throw RouteURL.SyntaxError(.encoding, at: start)
    }
  }
}

/// The limits of the URL profile, in bytes, except for the number of segments.
package enum URLLimits {
  static let url = 8 * 1024
  static let scheme = 64
  static let segments = 64
  package static let parameter = 1024
}
