import Interception
import Synchronization

/// A source that collects the bytes read from another one, and reports them at the end.
///
/// Nothing is read ahead of demand. Nothing is reported if the source fails, is cancelled, or has more bytes
/// than the limit, from which on none are held.
final class CollectingByteSource: ByteSource {
  private let source: any ByteSource
  private let limit: Int
  private let complete: @Sendable ([UInt8]) async -> Void
  /// Nil once there are too many bytes, or after the end.
  private let collected = Mutex<[UInt8]?>([])

  init(_ source: any ByteSource, limit: Int, complete: @escaping @Sendable ([UInt8]) async -> Void) {
    self.source = source
    self.limit = limit
    self.complete = complete
  }

  func read() async throws(NetworkError) -> [UInt8]? {
    if let chunk = try await source.read() {
      collected.withLock { collected in
        let isTooLong = (collected?.count ?? 0) + chunk.count > limit
        if isTooLong { collected = nil } else { collected?.append(contentsOf: chunk) }
      }
      return chunk
    }
    let bytes = collected.withLock { collected in
      defer { collected = nil }
      return collected
    }
    if let bytes { await complete(bytes) }
    return nil
  }

  func cancel() {
    collected.withLock { $0 = nil }
    source.cancel()
  }
}
