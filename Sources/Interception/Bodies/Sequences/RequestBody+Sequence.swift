extension RequestBody {
  /// Creates a body from an async sequence of chunks that can be iterated only once.
  ///
  /// A chunk is requested only when the transport can send it. The sequence is iterated in its own task,
  /// which starts with the first read and is cancelled if the request ends early. If the sequence ends
  /// because that task was cancelled, as `AsyncStream` does, the upload fails rather than being cut short.
  ///
  /// A ``NetworkError`` thrown by the sequence reaches the caller unchanged. Any other error is reported as
  /// ``NetworkError/Kind/rejected``, with that error as `underlying`.
  ///
  /// - Parameter length: The number of bytes, or nil if it is not known in advance.
  public static func sequence<Chunks: AsyncSequence & Sendable & SendableMetatype>(
    length: Int64?, _ chunks: Chunks
  ) -> RequestBody where Chunks.Element: Collection<UInt8> {
    .once(length: length, SequenceByteSource { chunks })
  }

  /// Creates a body from an async sequence of chunks that is created anew each time the body is sent.
  ///
  /// - Parameters:
  ///   - length: The number of bytes, or nil if it is not known in advance.
  ///   - make: Creates the sequence for one attempt. Errors that it throws are handled like those of the
  ///     sequence.
  public static func sequence<Chunks: AsyncSequence & SendableMetatype>(
    length: Int64?, makingEach make: @escaping @Sendable () async throws -> Chunks
  ) -> RequestBody where Chunks.Element: Collection<UInt8> {
    .restartable(length: length) { () throws(NetworkError) in SequenceByteSource(make) }
  }
}
