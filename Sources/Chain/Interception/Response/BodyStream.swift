public import HTTPTypes
import Synchronization

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
  public init(length: Int64?, ending: BodyStream.Ending? = nil, _ source: some ByteSource) {
    self.length = length
    self.ending = ending ?? Ending()
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

extension BodyStream {
  /// The information about a streamed response that is available once it has ended; the transport sets it
  /// once.
  public final class Ending: Sendable {
    private struct State {
      var isFinished = false
      var trailers: HTTPFields?
      var transport: TransportReport?
      var waiting: [@Sendable (TransportReport?) -> Void] = []
    }

    private let state = Mutex(State())

    /// Creates an ending for a stream that has not ended.
    package init() {}

    /// The trailer fields; nil until the body has ended.
    public var trailers: HTTPFields? { state.withLock { $0.trailers } }

    /// The transport's complete report; nil until the body has ended.
    public var transport: TransportReport? { state.withLock { $0.transport } }

    /// Records the end; only the first call has an effect.
    package func finish(trailers: HTTPFields? = nil, transport: TransportReport? = nil) {
      let waiting: [@Sendable (TransportReport?) -> Void] = state.withLock { state in
        guard !state.isFinished else { return [] }
        state.isFinished = true
        state.trailers = trailers
        state.transport = transport
        defer { state.waiting = [] }
        return state.waiting
      }
      for notify in waiting { notify(transport) }
    }

    /// Calls `notify` when the body ends, or immediately if it already has.
    package func whenFinished(_ notify: @escaping @Sendable (TransportReport?) -> Void) {
      let finished: TransportReport?? = state.withLock { state in
        if state.isFinished { return .some(state.transport) }
        state.waiting.append(notify)
        return .none
      }
      if let finished { notify(finished) }
    }
  }
}

/// A stream's source, owned by the stream's only reader; releasing it before its end cancels the transfer.
final class ClaimedByteSource: ByteSource {
  private let source: any ByteSource
  private let isFinished = Atomic(false)

  init(_ source: any ByteSource) { self.source = source }

  deinit {
    if !isFinished.load(ordering: .acquiring) { source.cancel() }
  }

  func read() async throws(NetworkError) -> [UInt8]? {
    guard !isFinished.load(ordering: .acquiring) else { return nil }
    do throws(NetworkError) {
      let chunk = try await source.read()
      if chunk == nil { isFinished.store(true, ordering: .releasing) }
      return chunk
    } catch {
      isFinished.store(true, ordering: .releasing)
      throw error
    }
  }

  func cancel() {
    isFinished.store(true, ordering: .releasing)
    source.cancel()
  }
}
