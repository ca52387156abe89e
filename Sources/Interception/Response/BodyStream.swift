/// An answer's content on its way: pulled by one reader, and cancelled by being dropped.
///
/// Read it with `for try await chunk in stream`, or take its source with ``claim()`` to wrap it.
public final class BodyStream: Sendable {
  /// The number of bytes, where the server announced it and nothing was decoded.
  public let length: Int64?
  /// What is known only at the end: trailers and the transport's full report.
  public let ending: StreamEnding
  private let source: SingleUse<any ByteSource>

  /// Makes a stream over a source of bytes.
  ///
  /// - Parameter ending: Where the transport writes what is known at the end. Pass on the ending of the
  ///   stream that `source` reads from when you wrap one.
  public init(length: Int64?, ending: StreamEnding = StreamEnding(), _ source: some ByteSource) {
    self.length = length
    self.ending = ending
    self.source = SingleUse(source)
  }

  deinit { source.take()?.cancel() }

  /// Takes the stream's bytes for oneself.
  ///
  /// - Throws: ``NetworkError/Kind/bodyNotReplayable`` when somebody else reads, or has read, the stream.
  public func claim() throws(NetworkError) -> any ByteSource {
    guard let source = source.take() else {
      throw NetworkError(
        .bodyNotReplayable,
        "The answer's stream has a reader already; read it once, or collect it and share the bytes.")
    }
    return ClaimedByteSource(source)
  }
}

extension BodyStream: AsyncSequence {
  /// Walks the chunks of a stream.
  public struct Iterator: AsyncIteratorProtocol {
    private let stream: BodyStream
    private var source: (any ByteSource)?

    init(_ stream: BodyStream) { self.stream = stream }

    /// Returns the next chunk, or nil at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> [UInt8]? {
      if let source { return try await source.read() }
      let claimed = try stream.claim()
      source = claimed
      return try await claimed.read()
    }
  }

  /// Starts reading; a second reader's first chunk is an error.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }
}
