import HTTPTypes
import Interception
import Synchronization

/// A bounded buffer between the loop's thread and the reader of a streamed response.
///
/// A reader takes all bytes that have come since its last read, so it pays for a hop between threads per read
/// and not per packet.
final class ResponsePipe: ByteSource {
  struct End: Sendable {
    let failure: NetworkError?
    let trailers: HTTPFields?
    let report: TransportReport
  }

  private typealias Reader = ResultContinuation<Void>

  private struct State {
    var buffer: [UInt8] = []
    var end: End?
    var isPaused = false
    var isCancelled = false
    var reader: Reader?
  }

  /// The number of buffered bytes from which on the transfer is paused.
  static let highWater = 256 << 10

  private let id: TransferID
  private let owner: LoopOwner
  private let ending: BodyStream.Ending
  private let state = Mutex(State())

  init(id: TransferID, owner: LoopOwner, ending: BodyStream.Ending) {
    self.id = id
    self.owner = owner
    self.ending = ending
  }

  // MARK: The thread's side

  /// What became of offered bytes.
  enum Offer {
    case taken
    /// There is no room; the same bytes are offered again after ``Command/readerReady(_:)``.
    case full
    /// The reader has cancelled.
    case cancelled
  }

  func offer(_ bytes: UnsafeBufferPointer<UInt8>) -> Offer {
    let (offer, reader) = state.withLock { state -> (Offer, Reader?) in
      guard !state.isCancelled else { return (.cancelled, nil) }
      guard state.buffer.count < Self.highWater else {
        state.isPaused = true
        return (.full, nil)
      }
      unsafe state.buffer.append(contentsOf: bytes)
      return (.taken, state.reader.take())
    }
    reader?.resume(returning: .success(()))
    return offer
  }

  func finish(_ end: End) {
    let reader = state.withLock { state in
      state.end = end
      return state.reader.take()
    }
    reader?.resume(returning: .success(()))
  }

  // MARK: The reader's side

  func read() async throws(NetworkError) -> [UInt8]? {
    guard !Task.isCancelled else {
      cancel()
      throw Self.cancellation
    }
    while true {
      let (bytes, wasPaused, end) = try state.withLock { state throws(NetworkError) in
        try Self.take(from: &state)
      }
      if wasPaused { owner.mailbox.post(.readerReady(id)) }
      if !bytes.isEmpty { return bytes }
      guard let end else {
        try await wait()
        continue
      }
      // Observers of the ending run in the reader's task, never on the loop's thread.
      ending.finish(trailers: end.trailers, transport: end.report)
      if let failure = end.failure { throw failure }
      return nil
    }
  }

  func cancel() {
    let (isFirst, reader) = state.withLock { state in
      let isFirst = !state.isCancelled && state.end == nil
      state.isCancelled = true
      state.buffer = []
      return (isFirst, state.reader.take())
    }
    if isFirst { owner.mailbox.post(.cancel(id)) }
    ending.finish()
    reader?.resume(returning: .success(()))
  }

  private func wait() async throws(NetworkError) {
    try await waitForResult { continuation in
      let isReady = state.withLock { state in
        let isReady = !state.buffer.isEmpty || state.end != nil || state.isCancelled
        if !isReady { state.reader = continuation }
        return isReady
      }
      if isReady { continuation.resume(returning: .success(())) }
    } onCancel: {
      cancel()
    }
  }

  private static func take(
    from state: inout State
  ) throws(NetworkError) -> (bytes: [UInt8], wasPaused: Bool, end: End?) {
    if state.isCancelled { throw cancellation }
    guard state.reader == nil else {
      throw NetworkError(
        .bodyNotReplayable, "The answer's stream is already being read; read it in one place.",
        requestMayHaveBeenProcessed: true)
    }
    defer { (state.buffer, state.isPaused) = ([], false) }
    return (state.buffer, state.isPaused, state.end)
  }

  private static var cancellation: NetworkError {
    NetworkError(
      .cancelled(.task), "The reading of the answer was cancelled.", requestMayHaveBeenProcessed: true)
  }
}
