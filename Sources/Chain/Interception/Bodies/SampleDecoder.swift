/// Decodes the beginning of coded content, for records of what was received.
package final class SampleDecoder: Sendable {
  /// The number of coded bytes that suffice for a sample, if a coding has blocks: zstd's have at most 128 KiB.
  package static let sufficientBytes = 160 << 10

  private let decode: @Sendable (_ coded: [UInt8], _ codings: [String], _ limit: Int) -> [UInt8]

  /// Creates a decoder from a function, which returns fewer bytes for content that is cut off or broken.
  package init(_ decode: @escaping @Sendable ([UInt8], [String], Int) -> [UInt8]) { self.decode = decode }

  /// Returns the first bytes of the content, at most `limit`.
  ///
  /// - Parameter codings: The codings in the order in which they were applied.
  package func sample(of coded: [UInt8], in codings: [String], upTo limit: Int) -> [UInt8] {
    decode(coded, codings, limit)
  }
}
