import Synchronization

/// The stale tags that a reader of a ``TagRegistry`` receives; see ``TagRegistry/invalidations(of:)``.
///
/// It has one reader: iterate over it once.
public struct TagInvalidations: AsyncSequence, Sendable {
  let reader: Reader
  // Not a property of the reader, which the registry retains: the stream must end when it is released here.
  private let signals: AsyncStream<Void>

  init(of tags: Set<DataTag>) {
    let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.signals = signals
    reader = Reader(tags, continuation)
  }

  /// Returns the sets of tags.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(reader: reader, signals: signals.makeAsyncIterator())
  }

  /// Returns the tags that became stale since the previous call.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let reader: Reader
    var signals: AsyncStream<Void>.AsyncIterator

    /// Waits until a tag becomes stale; nil when the registry is released or the task is cancelled.
    public mutating func next() async -> Set<DataTag>? {
      while await signals.next(isolation: #isolation) != nil {
        let stale = reader.takeStale()
        if !stale.isEmpty { return stale }
      }
      return nil
    }
  }

  /// The tags of one reader, and those of them that became stale and were not read yet.
  final class Reader: Sendable {
    private let tags: Set<DataTag>
    private let stale = Mutex<Set<DataTag>>([])
    private let continuation: AsyncStream<Void>.Continuation

    init(_ tags: Set<DataTag>, _ continuation: AsyncStream<Void>.Continuation) {
      self.tags = tags
      self.continuation = continuation
    }

    func onEnd(_ end: @escaping @Sendable () -> Void) { continuation.onTermination = { _ in end() } }

    func receive(_ invalidated: Set<DataTag>) {
      let concerned = tags.intersection(invalidated)
      guard !concerned.isEmpty else { return }
      stale.withLock { $0.formUnion(concerned) }
      continuation.yield()
    }

    func takeStale() -> Set<DataTag> {
      stale.withLock { stale in
        defer { stale = [] }
        return stale
      }
    }

    func finish() { continuation.finish() }
  }
}
