import CZlib
package import Interception

/// An encoder of gzip (RFC 1952); it takes about 256 KiB.
@safe
package struct GzipEncoder: ~Copyable {
  /// The result of one step.
  package struct Piece {
    /// The coded bytes; none while zlib buffers input.
    package let bytes: [UInt8]
    /// The number of bytes of the input that were consumed.
    package let consumed: Int
    /// Whether the end of the gzip member was written.
    package let isComplete: Bool
  }

  // 15 is the largest window; adding 16 selects gzip's header and checksum instead of zlib's.
  private static let windowBits: CInt = 15 + 16
  private static let memoryLevel: CInt = 8

  // zlib's state has a pointer to it, so it must not move.
  private let stream: UnsafeMutablePointer<z_stream>

  /// Creates an encoder.
  ///
  /// - Parameter level: 1, the fastest, to 9, the smallest; values outside are clamped.
  /// - Throws: ``NetworkError/Kind/rejected`` if zlib cannot allocate memory.
  package init(level: Int = 6) throws(NetworkError) {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let size = unsafe CInt(MemoryLayout<z_stream>.size)
    let code = unsafe deflateInit2_(
      stream, CInt(min(max(level, 1), 9)), Z_DEFLATED, Self.windowBits, Self.memoryLevel, Z_DEFAULT_STRATEGY,
      ZLIB_VERSION, size)
    guard code == Z_OK else {
      unsafe stream.deallocate()
      throw Self.failure(code)
    }
    unsafe self.stream = stream
  }

  deinit {
    _ = unsafe deflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Encodes a part of the input into at most `capacity` bytes.
  ///
  /// Call it until the input is consumed; after the last part until ``Piece/isComplete``.
  package mutating func encode(
    _ input: ArraySlice<UInt8>, isLast: Bool, upTo capacity: Int
  ) throws(NetworkError) -> Piece {
    let stream = unsafe stream
    // zlib counts in 32 bits.
    let room = min(max(capacity, 1), Int(UInt32.max))
    let offered = min(input.count, Int(UInt32.max))
    var code = Z_OK
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: room) { output, count in
      unsafe input.withUnsafeBufferPointer { input in
        // zlib only reads next_in, which is not const in its default build.
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        unsafe stream.pointee.avail_in = UInt32(offered)
        unsafe stream.pointee.next_out = output.baseAddress
        unsafe stream.pointee.avail_out = UInt32(room)
        code = unsafe deflate(stream, isLast && offered == input.count ? Z_FINISH : Z_NO_FLUSH)
        unsafe stream.pointee.next_in = nil
        unsafe stream.pointee.next_out = nil
        count = unsafe room - Int(stream.pointee.avail_out)
      }
    }
    // Z_BUF_ERROR: no progress was possible.
    guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else { throw Self.failure(code) }
    return unsafe Piece(
      bytes: bytes, consumed: offered - Int(stream.pointee.avail_in), isComplete: code == Z_STREAM_END)
  }

  private static func failure(_ code: CInt) -> NetworkError {
    NetworkError(
      .rejected, "zlib failed with code \(code) while compressing the body; send it as is, or free memory.")
  }
}
