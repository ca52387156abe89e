import HTTPTypes
package import Interception
import Synchronization

/// A body of given chunks that records how many of them were read and whether it was cancelled.
package final class ScriptedByteSource: ByteSource {
  private struct State {
    var chunks: ArraySlice<[UInt8]>
    var reads = 0
    var isCancelled = false
  }

  private let state: Mutex<State>
  private let failure: NetworkError?

  /// Creates a body of chunks that optionally ends with an error.
  package init(_ chunks: [[UInt8]], endingWith failure: NetworkError? = nil) {
    state = Mutex(State(chunks: chunks[...]))
    self.failure = failure
  }

  /// The number of chunks read.
  package var reads: Int { state.withLock { $0.reads } }

  /// Whether the reader cancelled the body.
  package var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Returns the next chunk.
  package func read() async throws(NetworkError) -> [UInt8]? {
    let chunk = state.withLock { state -> [UInt8]? in
      guard let chunk = state.chunks.popFirst() else { return nil }
      state.reads += 1
      return chunk
    }
    if chunk == nil, let failure { throw failure }
    return chunk
  }

  /// Records the cancellation.
  package func cancel() { state.withLock { $0.isCancelled = true } }
}
