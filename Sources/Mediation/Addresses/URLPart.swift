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
