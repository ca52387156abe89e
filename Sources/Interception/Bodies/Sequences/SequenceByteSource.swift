/// The bytes of an async sequence, read chunk by chunk from a task that iterates it.
///
/// An iterator must stay in one task, and ``cancel()`` needs a task that it can cancel.
final class SequenceByteSource: ByteSource {
  private let handover = ChunkHandover()
  private let start: SingleUse<@Sendable () -> Task<Void, Never>>

  init<Chunks: AsyncSequence & SendableMetatype>(_ make: @escaping @Sendable () async throws -> Chunks)
  where Chunks.Element: Collection<UInt8> {
    let handover = handover
    start = SingleUse { Task { await Self.walk(handover, make) } }
  }

  deinit { handover.cancel() }

  func read() async throws(NetworkError) -> [UInt8]? {
    if let start = start.take() { handover.adopt(start()) }
    return try await handover.read()
  }

  func cancel() { handover.cancel() }

  private static func walk<Chunks: AsyncSequence & SendableMetatype>(
    _ handover: ChunkHandover, _ make: @Sendable () async throws -> Chunks
  ) async where Chunks.Element: Collection<UInt8> {
    do {
      guard await handover.awaitDemand() else { return }
      var iterator = try await make().makeAsyncIterator()
      while let chunk = try await iterator.next() {
        guard !chunk.isEmpty else { continue }
        handover.deliver(.success(Array(chunk)))
        guard await handover.awaitDemand() else { return }
      }
      handover.deliver(.success(nil))
    } catch let error as NetworkError {
      handover.deliver(.failure(error))
    } catch is CancellationError {
      handover.deliver(.failure(ChunkHandover.cancellation))
    } catch {
      let reason = "The body's sequence failed, so the request was not sent completely: \(type(of: error))."
      handover.deliver(.failure(NetworkError(.rejected, reason, underlying: error)))
    }
  }
}
