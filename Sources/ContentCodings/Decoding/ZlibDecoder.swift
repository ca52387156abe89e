import CZlib

/// Decodes gzip (RFC 1952), and deflate with or without its frame (RFC 1950, RFC 1951).
@safe
package final class ZlibDecoder: ContentDecoder {
  /// A format of zlib's.
  package enum Format: Hashable {
    /// RFC 1952.
    case gzip
    /// RFC 1950, or RFC 1951 from servers that omit the zlib header; the first byte distinguishes them.
    case deflate
  }

  // zlib's state has a pointer to it, so it must not move.
  private let stream: UnsafeMutablePointer<z_stream>
  private let format: Format
  private var isOpen = false
  private var isPadding = false
  package private(set) var isEnded = false

  /// Creates a decoder of a format.
  package init(_ format: Format) {
    self.format = format
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
  }

  deinit {
    if isOpen { _ = unsafe inflateEnd(stream) }
    unsafe stream.deallocate()
  }

  package func decode(
    _ input: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>
  ) -> DecodingStep? {
    guard let first = unsafe input.first else {
      return isOpen && !isEnded ? unsafe inflate(input, target) : .nothing
    }
    if isPadding || (isEnded && format == .gzip && first == 0) { return unsafe skipPadding(input) }
    if isEnded { guard reopen(first) else { return nil } }
    if !isOpen { guard open(first) else { return nil } }
    return unsafe inflate(input, target)
  }

  private func inflate(
    _ input: UnsafeBufferPointer<UInt8>, _ target: UnsafeMutableBufferPointer<UInt8>
  ) -> DecodingStep? {
    let offered = UInt32(clamping: input.count)
    let room = UInt32(clamping: target.count)
    unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
    unsafe stream.pointee.avail_in = offered
    unsafe stream.pointee.next_out = target.baseAddress
    unsafe stream.pointee.avail_out = room
    let code = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
    // Z_BUF_ERROR: no progress was possible.
    guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else { return nil }
    isEnded = code == Z_STREAM_END
    return unsafe DecodingStep(
      consumed: Int(offered - stream.pointee.avail_in), produced: Int(room - stream.pointee.avail_out))
  }

  private func open(_ first: UInt8) -> Bool {
    let windowBits: CInt
    switch format {
    case .gzip: windowBits = 15 + 16
    case .deflate: windowBits = first & 0x0F == 8 && first >> 4 <= 7 ? 15 : -15
    }
    let size = unsafe CInt(MemoryLayout<z_stream>.size)
    isOpen = unsafe inflateInit2_(stream, windowBits, ZLIB_VERSION, size) == Z_OK
    return isOpen
  }

  /// Begins another member (RFC 1952, section 2.2); nothing else may follow the end.
  private func reopen(_ first: UInt8) -> Bool {
    guard format == .gzip, first == 0x1F, unsafe inflateReset(stream) == Z_OK else { return false }
    isEnded = false
    return true
  }

  // Some encoders pad the last block with zeros.
  private func skipPadding(_ input: UnsafeBufferPointer<UInt8>) -> DecodingStep? {
    isPadding = true
    guard unsafe input.allSatisfy({ $0 == 0 }) else { return nil }
    return DecodingStep(consumed: input.count, produced: 0)
  }
}
