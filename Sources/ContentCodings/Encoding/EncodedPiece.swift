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
