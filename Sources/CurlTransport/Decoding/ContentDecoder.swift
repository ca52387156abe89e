/// The decoder of one content coding: bytes in, bytes out, as far as both reach.
protocol ContentDecoder: AnyObject {
  /// Whether the coded data is complete, with nothing after its end.
  var isEnded: Bool { get }

  /// Decodes from `input` into `target`; nil means that the data is not of this coding.
  ///
  /// When `target` was filled there may be more, also without further input.
  func decode(
    _ input: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>
  ) -> DecodingStep?
}

/// How far one step of decoding came.
struct DecodingStep: Hashable {
  /// The bytes of the input that are done with.
  var consumed: Int
  /// The bytes that were written.
  var produced: Int
}
