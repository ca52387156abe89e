import Synchronization

/// The latest state, and a stream with room for one state for each reader.
final class StateStreams: Sendable {
  private struct State {
    var latest: NetworkState?
    var readers: [UInt64: AsyncStream<NetworkState>.Continuation] = [:]
    var lastReader: UInt64 = 0
  }

  private let state: Mutex<State>

  init(_ latest: NetworkState?) { state = Mutex(State(latest: latest)) }

  deinit { for reader in state.withLock({ $0.readers.values }) { reader.finish() } }

  var latest: NetworkState? { state.withLock { $0.latest } }

  var readerCount: Int { state.withLock { $0.readers.count } }

  /// Returns the latest state and every later one; a slow reader misses intermediate ones.
  func values() -> AsyncStream<NetworkState> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: NetworkState.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.lastReader += 1
      state.readers[state.lastReader] = continuation
      // Yielded under the lock, so that no later state precedes it.
      if let latest = state.latest { continuation.yield(latest) }
      return state.lastReader
    }
    continuation.onTermination = { [weak self] _ in
      // The continuation is released outside the lock.
      _ = self?.state.withLock { $0.readers.removeValue(forKey: number) }
    }
    return stream
  }

  func send(_ value: NetworkState) {
    state.withLock { state in
      state.latest = value
      for reader in state.readers.values { reader.yield(value) }
    }
  }
}
