import CZstd

/// Decodes Zstandard (RFC 8878) with windows of at most 8 MiB (RFC 9659).
@safe
package final class ZstdDecoder: ContentDecoder {
  private static let windowLog: CInt = 23

  private let stream: OpaquePointer
  package private(set) var isEnded = false

  /// Creates a decoder; nil if there is no memory.
  package init?() {
    guard let stream = unsafe ZSTD_createDStream() else { return nil }
    unsafe self.stream = stream
    _ = unsafe ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, Self.windowLog)
  }

  deinit { _ = unsafe ZSTD_freeDStream(stream) }

  package func decode(
    _ input: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>
  ) -> DecodingStep? {
    // Without input, a step after the end would begin another frame.
    if isEnded, input.isEmpty { return .nothing }
    var source = unsafe ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
    var sink = unsafe ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
    let result = unsafe ZSTD_decompressStream(stream, &sink, &source)
    guard ZSTD_isError(result) == 0 else { return nil }
    isEnded = result == 0
    return unsafe DecodingStep(consumed: source.pos, produced: sink.pos)
  }
}
