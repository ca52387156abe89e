import CBrotli

/// Decodes brotli (RFC 7932).
@safe
package final class BrotliDecoder: ContentDecoder {
  private let state: OpaquePointer
  package private(set) var isEnded = false

  /// Creates a decoder; nil if there is no memory.
  package init?() {
    guard let state = unsafe BrotliDecoderCreateInstance(nil, nil, nil) else { return nil }
    unsafe self.state = state
  }

  deinit { unsafe BrotliDecoderDestroyInstance(state) }

  package func decode(
    _ input: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>
  ) -> DecodingStep? {
    guard !isEnded else { return input.isEmpty ? .nothing : nil }
    var left = input.count
    var next = input.baseAddress
    var room = target.count
    var place = target.baseAddress
    let result = unsafe BrotliDecoderDecompressStream(state, &left, &next, &room, &place, nil)
    guard result != BROTLI_DECODER_RESULT_ERROR else { return nil }
    isEnded = result == BROTLI_DECODER_RESULT_SUCCESS
    return DecodingStep(consumed: input.count - left, produced: target.count - room)
  }
}
