/// The progress of one step of decoding.
package struct DecodingStep: Hashable {
  /// A step that neither read nor wrote.
  static let nothing = DecodingStep(consumed: 0, produced: 0)

  /// The number of bytes of the input that were decoded.
  package var consumed: Int
  /// The number of bytes that were written.
  package var produced: Int
}
