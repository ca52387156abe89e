import Interception
import Synchronization

/// A byte source that cancels the transfer and throws once more bytes than the limit have been read.
final class LimitedByteSource: ByteSource {
  private let source: any ByteSource
  private let limit: Int64
  private let count = Atomic<Int64>(0)

  init(_ source: any ByteSource, limit: Int64) {
    self.source = source
    self.limit = limit
  }

  func read() async throws(NetworkError) -> [UInt8]? {
    guard let chunk = try await source.read() else { return nil }
    guard count.add(Int64(chunk.count), ordering: .relaxed).newValue <= limit else {
      source.cancel()
      throw .bodyTooLarge(limit: limit)
    }
    return chunk
  }

  func cancel() { source.cancel() }
}
