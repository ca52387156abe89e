public import Interception
import Synchronization

/// A body of given chunks, which remembers how much of it was read and whether it was cancelled.
public final class ScriptedByteSource: ByteSource {
  private struct State {
    var chunks: ArraySlice<[UInt8]>
    var reads = 0
    var isCancelled = false
  }

  private let state: Mutex<State>
  private let failure: NetworkError?

  /// Makes a body of chunks, which ends with an error where one is given.
  public init(_ chunks: [[UInt8]], endingWith failure: NetworkError? = nil) {
    state = Mutex(State(chunks: chunks[...]))
    self.failure = failure
  }

  /// How many chunks were read.
  public var reads: Int { state.withLock { $0.reads } }

  /// Whether the reader gave up.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Returns the next chunk.
  public func read() async throws(NetworkError) -> [UInt8]? {
    let chunk = state.withLock { state -> [UInt8]? in
      guard let chunk = state.chunks.popFirst() else { return nil }
      state.reads += 1
      return chunk
    }
    if chunk == nil, let failure { throw failure }
    return chunk
  }

  /// Notes that the reader gave up.
  public func cancel() { state.withLock { $0.isCancelled = true } }
}
