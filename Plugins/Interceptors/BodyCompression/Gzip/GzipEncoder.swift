import CZlib
package import Interception

/// A gzip coder (RFC 1952): the one owner of a zlib stream, and the one place that talks to zlib.
///
/// zlib keeps a pointer back to its stream, so the stream lives on the heap and never moves. It takes about
/// 256 KiB.
package struct GzipEncoder: ~Copyable {
  /// What one step gave.
  package struct Piece {
    /// The coded bytes; none where zlib still gathers input.
    package let bytes: [UInt8]
    /// How many bytes of the input were taken.
    package let consumed: Int
    /// Whether the end of the gzip member was written.
    package let isComplete: Bool
  }

  // 15 is the largest window; 16 more asks for gzip's header and checksum in place of zlib's.
  private static let windowBits: CInt = 15 + 16
  private static let memoryLevel: CInt = 8

  private let stream: UnsafeMutablePointer<z_stream>

  /// Makes a coder.
  ///
  /// - Parameter level: 1, the fastest, to 9, the smallest; values outside are clamped.
  /// - Throws: ``NetworkError/Kind/rejected`` when zlib gets no memory.
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

  /// Codes a part of the input into at most `capacity` bytes.
  ///
  /// Call it until the input is consumed; after the last part until ``Piece/isComplete``.
  package mutating func encode(
    _ input: ArraySlice<UInt8>, isLast: Bool, upTo capacity: Int
  ) throws(NetworkError) -> Piece {
    let stream = stream
    // zlib counts in 32 bits.
    let room = min(max(capacity, 1), Int(UInt32.max))
    let offered = min(input.count, Int(UInt32.max))
    var code = Z_OK
    let bytes = [UInt8](unsafeUninitializedCapacity: room) { output, count in
      input.withUnsafeBufferPointer { input in
        // zlib's next_in isn't const in its default build; it is only read.
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
    // Z_BUF_ERROR only says that there was nothing to do.
    guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else { throw Self.failure(code) }
    return Piece(
      bytes: bytes, consumed: offered - Int(stream.pointee.avail_in), isComplete: code == Z_STREAM_END)
  }

  private static func failure(_ code: CInt) -> NetworkError {
    NetworkError(
      .rejected, "zlib failed with code \(code) while it coded the body; send it uncoded, or free memory.")
  }
}
