#if SQLite
import Synchronization

/// Sends changes to any number of streams, each of which keeps the latest ones until they are read.
final class ChangeStreams: Sendable {
  /// The number of changes that a stream keeps.
  static let capacity = 256

  private struct State {
    var last: UInt64 = 0
    var streams: [UInt64: AsyncStream<MutationChange>.Continuation] = [:]
  }

  private let state = Mutex(State())

  deinit { finish() }

  /// Returns a stream of the changes from now on.
  func stream() -> AsyncStream<MutationChange> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: MutationChange.self, bufferingPolicy: .bufferingNewest(Self.capacity))
    let id = state.withLock { state in
      state.last += 1
      state.streams[state.last] = continuation
      return state.last
    }
    continuation.onTermination = { [weak self] _ in
      // The continuation is released outside the lock.
      _ = self?.state.withLock { $0.streams.removeValue(forKey: id) }
    }
    return stream
  }

  /// Sends a change to every stream.
  func send(_ change: MutationChange) {
    for stream in state.withLock(\.streams).values { stream.yield(change) }
  }

  /// Ends every stream.
  func finish() {
    for stream in state.withLock(\.streams).values { stream.finish() }
  }
}
#endif
