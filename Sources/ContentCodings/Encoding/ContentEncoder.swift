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
