/// A decoder of one content coding, which is given the coded bytes piece by piece.
package protocol ContentDecoder: AnyObject {
  /// Whether the coded data is complete, with nothing after its end.
  var isEnded: Bool { get }

  /// Decodes from `input` into `target`; returns nil if the data is not of this coding.
  ///
  /// If `target` was filled there may be more output, even without further input.
  func decode(
    _ input: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>
  ) -> DecodingStep?
}
