import HTTPTypes
import Interception
import Synchronization

/// A streamed answer between libcurl's thread and its reader: bounded, and cancelled by the reader.
///
/// Bytes are gathered until they are read, and a reader takes all there are at once: a hop between threads is
/// paid per reading, not per packet.
final class ResponsePipe: ByteSource {
  /// How the body ended.
  struct End: Sendable {
    let failure: NetworkError?
    let trailers: HTTPFields?
    let report: TransportReport
  }

  private struct State {
    var buffer: [UInt8] = []
    var end: End?
    var isPaused = false
    var isCancelled = false
    var peak = 0
    var reader: Reader?
  }

  private typealias Reader = CheckedContinuation<Result<Void, NetworkError>, Never>

  private enum Step {
    case bytes([UInt8], wasPaused: Bool)
    case end(End)
    case cancelled
    case wait
    case occupied
  }

  /// From this many bytes on, the transfer is paused.
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

  /// The most bytes that were ever held.
  var peak: Int { state.withLock { $0.peak } }

  // MARK: The thread's side

  /// What became of bytes that were offered.
  enum Offer {
    case taken
    /// There is no room; offer them again after ``Command/readerReady(_:)``.
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
      state.peak = max(state.peak, state.buffer.count)
      defer { state.reader = nil }
      return (.taken, state.reader)
    }
    reader?.resume(returning: .success(()))
    return offer
  }

  func finish(_ end: End) {
    let reader = state.withLock { state in
      state.end = end
      defer { state.reader = nil }
      return state.reader
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
      switch state.withLock({ Self.step(&$0) }) {
      case .bytes(let bytes, let wasPaused):
        if wasPaused { owner.mailbox.post(.readerReady(id)) }
        return bytes
      case .end(let end):
        // Observers of the ending run here, on the reader's side, never on libcurl's thread.
        ending.finish(trailers: end.trailers, transport: end.report)
        if let failure = end.failure { throw failure }
        return nil
      case .cancelled: throw Self.cancellation
      case .occupied:
        throw NetworkError(
          .bodyNotReplayable,
          "The answer's stream is being read elsewhere at this moment; read it in one place.",
          requestMayHaveBeenProcessed: true)
      case .wait: try await wait()
      }
    }
  }

  func cancel() {
    let (isNews, reader) = state.withLock { state in
      let isNews = !state.isCancelled && state.end == nil
      state.isCancelled = true
      state.buffer = []
      defer { state.reader = nil }
      return (isNews, state.reader)
    }
    if isNews { owner.mailbox.post(.cancel(id)) }
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

  private static func step(_ state: inout State) -> Step {
    if state.isCancelled { return .cancelled }
    if state.reader != nil { return .occupied }
    if !state.buffer.isEmpty {
      let bytes = state.buffer
      let wasPaused = state.isPaused
      state.buffer = []
      state.isPaused = false
      return .bytes(bytes, wasPaused: wasPaused)
    }
    if let end = state.end { return .end(end) }
    return .wait
  }

  private static var cancellation: NetworkError {
    NetworkError(
      .cancelled(.task), "The reading of the answer was cancelled.", requestMayHaveBeenProcessed: true)
  }
}
