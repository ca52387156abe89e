import Interception
import Synchronization

/// A streamed request body between its source and libcurl's thread: one chunk being sent, one ahead.
final class UploadQueue: Sendable {
  private struct State {
    var chunks: [[UInt8]] = []
    var offset = 0
    var isEnded = false
    var isClosed = false
    var isStarved = false
    var mostAhead = 0
    var writer: CheckedContinuation<Result<Void, NetworkError>, Never>?
  }

  /// What there is to send.
  enum Fill: Hashable {
    case bytes(Int)
    /// Nothing yet; a ``Command/uploadReady(_:)`` follows.
    case starved
    case ended
  }

  /// The most chunks that are held.
  static let capacity = 2

  private let state = Mutex(State())

  /// The most chunks that were ever held.
  var mostAhead: Int { state.withLock { $0.mostAhead } }

  // MARK: The thread's side

  func fill(_ target: UnsafeMutableRawBufferPointer) -> Fill {
    let (fill, writer) = state.withLock {
      state -> (Fill, CheckedContinuation<Result<Void, NetworkError>, Never>?) in
      guard let chunk = state.chunks.first else {
        if state.isEnded { return (.ended, nil) }
        state.isStarved = true
        return (.starved, nil)
      }
      let count = min(chunk.count - state.offset, target.count)
      let range = state.offset..<(state.offset + count)
      unsafe chunk.withUnsafeBytes {
        unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[range]))
      }
      state.offset += count
      guard state.offset == chunk.count else { return (.bytes(count), nil) }
      state.chunks.removeFirst()
      state.offset = 0
      defer { state.writer = nil }
      return (.bytes(count), state.writer)
    }
    writer?.resume(returning: .success(()))
    return fill
  }

  /// The transfer that sent the body has ended.
  func close() {
    let writer = state.withLock { state in
      state.isClosed = true
      state.chunks = []
      defer { state.writer = nil }
      return state.writer
    }
    writer?.resume(returning: .failure(Self.closed))
  }

  // MARK: The source's side

  /// Appends a chunk; says whether libcurl was waiting for it, and whether there is room for another one.
  func append(_ chunk: [UInt8]) -> (wasStarved: Bool, isFull: Bool) {
    state.withLock { state in
      if state.isClosed { return (false, true) }
      state.chunks.append(chunk)
      state.mostAhead = max(state.mostAhead, state.chunks.count)
      defer { state.isStarved = false }
      return (state.isStarved, state.chunks.count >= Self.capacity)
    }
  }

  /// Marks the end; returns whether libcurl was waiting for it.
  func end() -> Bool {
    state.withLock { state in
      state.isEnded = true
      defer { state.isStarved = false }
      return state.isStarved
    }
  }

  /// Waits until another chunk may be appended.
  ///
  /// - Throws: Once the transfer has ended.
  func waitForRoom() async throws(NetworkError) {
    try await waitForResult { continuation in
      let isReady: Result<Void, NetworkError>? = state.withLock { state in
        if state.isClosed { return .failure(Self.closed) }
        if state.chunks.count < Self.capacity { return .success(()) }
        state.writer = continuation
        return nil
      }
      if let isReady { continuation.resume(returning: isReady) }
    } onCancel: {
      close()
    }
  }

  private static var closed: NetworkError {
    NetworkError(.cancelled(.task), "The transfer that sent the body has ended.")
  }
}
