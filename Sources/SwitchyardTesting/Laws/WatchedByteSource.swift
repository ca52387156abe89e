import Interception

/// A body that records its reads and its end.
final class WatchedByteSource: ByteSource {
  struct State: Sendable {
    var chunks: [[UInt8]]
    var reads = 0
    var isOver = false
  }

  let state: WaitableValue<State>

  init(_ chunks: [[UInt8]] = [[1, 2, 3], [4, 5, 6]]) { state = WaitableValue(State(chunks: chunks)) }

  func read() async throws(NetworkError) -> [UInt8]? {
    state.update { state in
      state.reads += 1
      guard !state.chunks.isEmpty, !state.isOver else {
        state.isOver = true
        return nil
      }
      return state.chunks.removeFirst()
    }
  }

  func cancel() { state.update { $0.isOver = true } }
}
