/// A source of a body's bytes, read chunk by chunk; nothing is read ahead of demand.
///
/// Only one reader at a time calls ``read()``. Conform to this protocol to send data that is produced in
/// pieces, or to wrap a response's stream in order to count, hash or decode it.
public protocol ByteSource: Sendable {
  /// Returns the next chunk, never empty, or nil at the end.
  ///
  /// It is not called again after the end or an error.
  func read() async throws(NetworkError) -> [UInt8]?

  /// Ends reading and releases the source's resources.
  ///
  /// It may be called at any time, from any thread, and repeatedly.
  func cancel()
}
