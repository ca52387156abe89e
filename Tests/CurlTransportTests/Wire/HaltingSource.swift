import Interception
import Synchronization

/// A body of two chunks that halts in between until it is resumed or cancelled.
final class HaltingSource: ByteSource {
  static let chunk = 1024
  static let length: Int64 = 2048

  private let reads = Atomic(0)
  private let halted = AsyncStream.makeStream(of: Void.self)
  private let released = AsyncStream.makeStream(of: Void.self)

  /// Returns once the first chunk was taken and the second one is asked for.
  func waitUntilHalted() async { for await _ in halted.stream { return } }

  /// Lets it go on.
  func goOn() { released.continuation.finish() }

  func read() async throws(NetworkError) -> [UInt8]? {
    switch reads.add(1, ordering: .relaxed).newValue {
    case 1: return Array(repeating: 1, count: Self.chunk)
    case 2:
      halted.continuation.finish()
      for await _ in released.stream {}
      return Array(repeating: 2, count: Self.chunk)
    default: return nil
    }
  }

  func cancel() { goOn() }
}
