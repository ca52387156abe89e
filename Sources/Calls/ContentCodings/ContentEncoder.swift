import CBrotli
import CZlib
import CZstd
package import Interception

/// An encoder of one content coding, which is given the content piece by piece.
///
/// It isn't thread-safe.
package protocol ContentEncoder: AnyObject {
  /// Encodes a part of the content into at most `capacity` bytes.
  ///
  /// Call it until the input is consumed; after the last part until ``EncodedPiece/isComplete``. Input that
  /// wasn't consumed must be offered again. After the end it returns an empty piece.
  ///
  /// - Parameter isLast: Whether the input is the end of the content.
  /// - Throws: `NetworkError.Kind.rejected` if the library fails.
  func encode(
    _ input: ArraySlice<UInt8>, isLast: Bool, upTo capacity: Int
  ) throws(NetworkError) -> EncodedPiece
}

/// The result of one step of encoding.
package struct EncodedPiece: Hashable {
  /// What follows the end of the coded content.
  static let afterEnd = EncodedPiece(bytes: [], consumed: 0, isComplete: true)

  /// The coded bytes; none while the library buffers input.
  package var bytes: [UInt8]
  /// The number of bytes of the input that were consumed.
  package var consumed: Int
  /// Whether the end of the coded content was written.
  package var isComplete: Bool
}

extension ContentCoding {
  /// The codings that can be written; the first ones save the most bytes in the same time.
  package static let encodable: [ContentCoding] = [.zstd, .brotli, .gzip, .deflate]

  /// The codings that can be read.
  package static let decodable = Set(encodable)

  /// Creates an encoder of this coding; nil if it can't be written.
  ///
  /// - Parameter level: 1, the fastest, to 9, the smallest; values outside are clamped. Each coding has its
  ///   own scale.
  /// - Throws: `NetworkError.Kind.rejected` if there is no memory.
  package func makeEncoder(level: Int) throws(NetworkError) -> (any ContentEncoder)? {
    let level = min(max(level, 1), 9)
    switch self {
    case .gzip: return try ZlibEncoder(.gzip, level: level)
    case .deflate: return try ZlibEncoder(.deflate, level: level)
    case .brotli: return try BrotliEncoder(quality: level)
    case .zstd: return try ZstdEncoder(level: level)
    default: return nil
    }
  }

  /// The error of an encoder whose library failed.
  static func failure(_ library: String, _ code: String) -> NetworkError {
    NetworkError(
      .rejected,
      "\(library) failed with \(code) while compressing the body; send it as is, or free memory.")
  }
}

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

/// Encodes brotli (RFC 7932) with a window of at most 4 MiB.
@safe
package final class BrotliEncoder: ContentEncoder {
  private let state: OpaquePointer
  private var isComplete = false

  /// Creates an encoder.
  ///
  /// - Parameter quality: 0, the fastest, to 11, the smallest.
  /// - Throws: `NetworkError.Kind.rejected` if there is no memory.
  package init(quality: Int) throws(NetworkError) {
    guard let state = unsafe BrotliEncoderCreateInstance(nil, nil, nil) else {
      throw ContentCoding.failure("brotli", "no memory")
    }
    unsafe self.state = state
    _ = unsafe BrotliEncoderSetParameter(state, BROTLI_PARAM_QUALITY, UInt32(min(max(quality, 0), 11)))
  }

  deinit { unsafe BrotliEncoderDestroyInstance(state) }

  package func encode(
    _ input: ArraySlice<UInt8>, isLast: Bool, upTo capacity: Int
  ) throws(NetworkError) -> EncodedPiece {
    guard !isComplete else { return .afterEnd }
    let state = unsafe state
    var left = input.count
    var isEncoded = BROTLI_FALSE
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: max(capacity, 1)) { output, count in
      unsafe input.withUnsafeBufferPointer { input in
        var next = input.baseAddress
        var place = output.baseAddress
        var room = output.count
        isEncoded = unsafe BrotliEncoderCompressStream(
          state, isLast ? BROTLI_OPERATION_FINISH : BROTLI_OPERATION_PROCESS, &left, &next, &room, &place,
          nil)
        count = output.count - room
      }
    }
    guard isEncoded != BROTLI_FALSE else { throw ContentCoding.failure("brotli", "an internal error") }
    isComplete = unsafe isLast && BrotliEncoderIsFinished(state) != BROTLI_FALSE
    return EncodedPiece(bytes: bytes, consumed: input.count - left, isComplete: isComplete)
  }
}

/// Encodes Zstandard (RFC 8878) with windows of at most 8 MiB (RFC 9659).
@safe
package final class ZstdEncoder: ContentEncoder {
  private let context: OpaquePointer
  private var isComplete = false

  /// Creates an encoder.
  ///
  /// - Parameter level: 1, the fastest, to 19, the smallest.
  /// - Throws: `NetworkError.Kind.rejected` if there is no memory.
  package init(level: Int) throws(NetworkError) {
    guard let context = unsafe ZSTD_createCCtx() else { throw ContentCoding.failure("zstd", "no memory") }
    unsafe self.context = context
    // Higher levels have larger windows.
    _ = unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, CInt(min(max(level, 1), 19)))
  }

  deinit { _ = unsafe ZSTD_freeCCtx(context) }

  package func encode(
    _ input: ArraySlice<UInt8>, isLast: Bool, upTo capacity: Int
  ) throws(NetworkError) -> EncodedPiece {
    // A step after the end would begin another frame.
    guard !isComplete else { return .afterEnd }
    let context = unsafe context
    var result = 0
    var consumed = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: max(capacity, 1)) { output, count in
      unsafe input.withUnsafeBufferPointer { input in
        var source = unsafe ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var sink = unsafe ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        result = unsafe ZSTD_compressStream2(context, &sink, &source, isLast ? ZSTD_e_end : ZSTD_e_continue)
        consumed = unsafe source.pos
        count = unsafe sink.pos
      }
    }
    guard ZSTD_isError(result) == 0 else {
      throw ContentCoding.failure("zstd", unsafe String(cString: ZSTD_getErrorName(result)))
    }
    isComplete = isLast && result == 0
    return EncodedPiece(bytes: bytes, consumed: consumed, isComplete: isComplete)
  }
}
