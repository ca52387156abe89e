/// The content of a response that is still being received.
///
/// It has a single reader, which pulls the bytes; releasing the stream cancels its transfer. Read it with
/// `for try await chunk in stream`, or take its source with ``claim()`` to wrap it.
public final class BodyStream: Sendable {
  /// The number of bytes, if the server announced it and the content was not decoded.
  public let length: Int64?
  /// The information available only at the end: trailers and the transport's complete report.
  public let ending: BodyStream.Ending
  private let source: SingleUse<any ByteSource>

  /// Creates a stream over a source of bytes.
  ///
  /// - Parameter ending: Receives the information available at the end. When you wrap another stream's
  ///   source, pass that stream's ending.
  public init(length: Int64?, ending: BodyStream.Ending = BodyStream.Ending(), _ source: some ByteSource) {
    self.length = length
    self.ending = ending
    self.source = SingleUse(source)
  }

  deinit { source.take()?.cancel() }

  /// Takes exclusive ownership of the stream's bytes.
  ///
  /// - Throws: ``NetworkError/Kind/bodyNotReplayable`` if the stream already has, or had, a reader.
  public func claim() throws(NetworkError) -> any ByteSource {
    guard let source = source.take() else {
      throw NetworkError(
        .bodyNotReplayable,
        "The response's stream already has a reader; read it only once, or collect it and share the bytes.")
    }
    return ClaimedByteSource(source)
  }
}

extension BodyStream: AsyncSequence {
  /// An iterator over the chunks of a stream.
  public struct Iterator: AsyncIteratorProtocol {
    private let stream: BodyStream
    private var source: (any ByteSource)?

    init(_ stream: BodyStream) { self.stream = stream }

    /// Returns the next chunk, or nil at the end of the stream.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> [UInt8]? {
      if let source { return try await source.read() }
      let claimed = try stream.claim()
      source = claimed
      return try await claimed.read()
    }
  }

  /// Starts reading; if the stream already has a reader, the iterator's first call throws.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }
}
