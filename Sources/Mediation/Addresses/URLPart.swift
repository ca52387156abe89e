/// A segment, a query field's name or value, or the fragment, while it is scanned.
struct URLPart {
  let start: Int
  /// So many `%XX` it holds.
  private(set) var escapes = 0
  /// Whether one of them stands for a byte that is not ASCII.
  private(set) var isWide = false

  @inline(__always)
  init(from start: Int) { self.start = start }

  /// Counts the `%XX` at an offset.
  mutating func addEscape(_ bytes: Span<UInt8>, at offset: Int) throws(URLFault) {
    let byte = try PercentEncoding.escape(bytes, at: offset)
    escapes += 1
    if byte >= 0x80 { isWide = true }
  }

  /// Checks what it stands for: UTF-8, and within the limit of a parameter.
  @inline(__always)
  func check(_ bytes: Span<UInt8>, end: Int) throws(URLFault) {
    try checkEncoding(bytes, end: end)
    if end - start - 2 * escapes > URLLimits.parameter {
      throw URLFault(.parameterTooLong(limit: URLLimits.parameter), at: start)
    }
  }

  /// Checks that what it stands for is UTF-8; what is not escaped is, as part of a string.
  @inline(__always)
  func checkEncoding(_ bytes: Span<UInt8>, end: Int) throws(URLFault) {
    if isWide, !PercentEncoding.isUTF8(bytes, start..<end) { throw URLFault(.encoding, at: start) }
  }
}
