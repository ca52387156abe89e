extension RequestBody {
  /// Content from an async sequence of chunks, which can be produced only once.
  ///
  /// The sequence is asked for a chunk when the transport has room for one, never earlier. It runs in a task
  /// of its own, which begins with the first reading and is cancelled when the request is over before its
  /// time. A sequence that ends because its task was cancelled, as `AsyncStream` does, fails the upload and
  /// never shortens it.
  ///
  /// An error of type ``NetworkError`` reaches the caller as it is; any other one as
  /// ``NetworkError/Kind/rejected``, with the error as `underlying`.
  ///
  /// - Parameter length: The number of bytes, where it is known beforehand.
  public static func sequence<Chunks: AsyncSequence & Sendable & SendableMetatype>(
    length: Int64?, _ chunks: Chunks
  ) -> RequestBody where Chunks.Element: Collection<UInt8> {
    .once(length: length, SequenceByteSource { chunks })
  }

  /// Content from an async sequence of chunks that is made anew whenever the body is sent.
  ///
  /// - Parameters:
  ///   - length: The number of bytes, where it is known beforehand.
  ///   - make: Makes the sequence of one attempt; what it throws is handled like the sequence's own errors.
  public static func sequence<Chunks: AsyncSequence & SendableMetatype>(
    length: Int64?, makingEach make: @escaping @Sendable () async throws -> Chunks
  ) -> RequestBody where Chunks.Element: Collection<UInt8> {
    .restartable(length: length) { () throws(NetworkError) in SequenceByteSource(make) }
  }
}
