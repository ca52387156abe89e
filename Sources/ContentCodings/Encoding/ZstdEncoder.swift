import CZstd
package import Interception

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
