import Synchronization

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
