import CZlib
package import Interception

/// A gzip encoder (RFC 1952) that owns a zlib stream.
///
/// All calls to zlib are made here.
///
/// zlib keeps a pointer back to its stream, so the stream is heap-allocated and never moves. It takes about
/// 256 KiB.
package struct GzipEncoder: ~Copyable {
  /// The output of one step.
  package struct Piece {
    /// The compressed bytes; empty while zlib buffers input.
    package let bytes: [UInt8]
    /// The number of input bytes consumed.
    package let consumed: Int
    /// Whether the gzip member is complete.
    package let isComplete: Bool
  }

  // 15 is the largest window; adding 16 selects gzip's header and checksum instead of zlib's.
  private static let windowBits: CInt = 15 + 16
  private static let memoryLevel: CInt = 8

  private let stream: UnsafeMutablePointer<z_stream>

  /// Creates an encoder.
  ///
  /// - Parameter level: 1, the fastest, to 9, the smallest; other values are clamped.
  /// - Throws: ``NetworkError/Kind/rejected`` if zlib can't allocate memory.
  package init(level: Int = 6) throws(NetworkError) {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let code = deflateInit2_(
      stream, CInt(min(max(level, 1), 9)), Z_DEFLATED, Self.windowBits, Self.memoryLevel, Z_DEFAULT_STRATEGY,
      ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
    guard code == Z_OK else {
      stream.deallocate()
      throw Self.failure(code)
    }
    self.stream = stream
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// Compresses part of the input into at most `capacity` bytes.
  ///
  /// Call it until the input is consumed; after the last part, until ``Piece/isComplete`` is true.
  package mutating func encode(
    _ input: ArraySlice<UInt8>, isLast: Bool, upTo capacity: Int
  ) throws(NetworkError) -> Piece {
    let stream = stream
    // zlib uses 32-bit counts.
    let room = min(max(capacity, 1), Int(UInt32.max))
    let offered = min(input.count, Int(UInt32.max))
    var code = Z_OK
    let bytes = [UInt8](unsafeUninitializedCapacity: room) { output, count in
      input.withUnsafeBufferPointer { input in
        // zlib's next_in isn't const in its default build, but zlib only reads from it.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.pointee.avail_in = UInt32(offered)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(room)
        code = deflate(stream, isLast && offered == input.count ? Z_FINISH : Z_NO_FLUSH)
        stream.pointee.next_in = nil
        stream.pointee.next_out = nil
        count = room - Int(stream.pointee.avail_out)
      }
    }
    // Z_BUF_ERROR only means that there was nothing to do.
    guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else { throw Self.failure(code) }
    return Piece(
      bytes: bytes, consumed: offered - Int(stream.pointee.avail_in), isComplete: code == Z_STREAM_END)
  }

  private static func failure(_ code: CInt) -> NetworkError {
    NetworkError(
      .rejected, "zlib failed with code \(code) while compressing the body; send it as is, or free memory.")
  }
}
