import Interception
import Synchronization

/// Passes bytes on, up to the stream limit of a request.
final class LimitedByteSource: ByteSource {
  private let source: any ByteSource
  private let limit: Int64?
  private let passed = Mutex<Int64>(0)

  init(_ source: any ByteSource, _ options: RequestOptions) {
    self.source = source
    limit = options.delivery == .streamed ? options.streamLimit : nil
  }

  func read() async throws(NetworkError) -> [UInt8]? {
    guard let chunk = try await source.read() else { return nil }
    let total = passed.withLock { passed in
      passed += Int64(chunk.count)
      return passed
    }
    if let limit, total > limit {
      source.cancel()
      throw NetworkError.bodyTooLarge(limit: limit)
    }
    return chunk
  }

  func cancel() { source.cancel() }
}
