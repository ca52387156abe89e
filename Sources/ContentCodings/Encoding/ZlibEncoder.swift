import CZlib
package import Interception

/// Encodes gzip (RFC 1952), or deflate in its frame (RFC 1950); it takes about 256 KiB.
@safe
package final class ZlibEncoder: ContentEncoder {
  private static let memoryLevel: CInt = 8

  // zlib's state has a pointer to it, so it must not move.
  private let stream: UnsafeMutablePointer<z_stream>
  private var isComplete = false

  /// Creates an encoder of a format.
  ///
  /// - Parameter level: 1, the fastest, to 9, the smallest.
  /// - Throws: `NetworkError.Kind.rejected` if zlib cannot allocate memory.
  package init(_ format: ZlibDecoder.Format, level: Int) throws(NetworkError) {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let size = unsafe CInt(MemoryLayout<z_stream>.size)
    // 15 is the largest window; adding 16 selects gzip's header and checksum instead of zlib's.
    let windowBits: CInt = format == .gzip ? 15 + 16 : 15
    let code = unsafe deflateInit2_(
      stream, CInt(min(max(level, 1), 9)), Z_DEFLATED, windowBits, Self.memoryLevel, Z_DEFAULT_STRATEGY,
      ZLIB_VERSION, size)
    guard code == Z_OK else {
      unsafe stream.deallocate()
      throw ContentCoding.failure("zlib", "code \(code)")
    }
    unsafe self.stream = stream
  }

  deinit {
    _ = unsafe deflateEnd(stream)
    unsafe stream.deallocate()
  }

  package func encode(
    _ input: ArraySlice<UInt8>, isLast: Bool, upTo capacity: Int
  ) throws(NetworkError) -> EncodedPiece {
    guard !isComplete else { return .afterEnd }
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
    guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else {
      throw ContentCoding.failure("zlib", "code \(code)")
    }
    isComplete = code == Z_STREAM_END
    return unsafe EncodedPiece(
      bytes: bytes, consumed: offered - Int(stream.pointee.avail_in), isComplete: isComplete)
  }
}
