/// A body's bytes, pulled chunk by chunk; nothing is read ahead of the reader.
///
/// One reader at a time calls ``read()``. Conform to it to send what you produce piece by piece, or to wrap
/// an answer's stream: count it, hash it, decode it.
public protocol ByteSource: Sendable {
  /// Returns the next chunk, never empty, or nil at the end; after an error or the end it is not called
  /// again.
  func read() async throws(NetworkError) -> [UInt8]?

  /// Gives up: frees what the source holds. May be called at any moment, from any thread, more than once.
  func cancel()
}
