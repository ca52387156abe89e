import CBrotli
package import Interception

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
