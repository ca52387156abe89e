import HTTPTypes
import Interception
import Synchronization

/// A streamed request body between its source and the loop's thread: one chunk that is being sent, and the
/// next.
final class UploadQueue: Sendable {
  private typealias Writer = ResultContinuation<Void>

  private struct State {
    var chunks: [[UInt8]] = []
    var offset = 0
    var isEnded = false
    var trailers: HTTPFields = [:]
    var isClosed = false
    var isStarved = false
    var writer: Writer?
  }

  static let capacity = 2

  private let state = Mutex(State())

  // MARK: The thread's side

  /// Copies the next bytes into `target` and returns their number, which is 0 at the end.
  ///
  /// If there are none yet, it returns nil, and ``Command/uploadReady(_:)`` follows.
  func fill(_ target: UnsafeMutableRawBufferPointer) -> Int? {
    let (count, writer) = state.withLock { state -> (Int?, Writer?) in
      guard let chunk = state.chunks.first else {
        state.isStarved = !state.isEnded
        return (state.isEnded ? 0 : nil, nil)
      }
      let count = min(chunk.count - state.offset, target.count)
      let range = state.offset..<(state.offset + count)
      unsafe chunk.withUnsafeBytes { unsafe target.copyMemory(from: .init(rebasing: $0[range])) }
      state.offset += count
      guard state.offset == chunk.count else { return (count, nil) }
      state.chunks.removeFirst()
      state.offset = 0
      return (count, state.writer.take())
    }
    writer?.resume(returning: .success(()))
    return count
  }

  /// The fields that follow the content, once the queue has ended.
  var trailers: HTTPFields { state.withLock { $0.trailers } }

  /// Whether its transfer has ended, or reads the body again.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Ends the queue with its transfer, or because the body is read again.
  func close() {
    let writer = state.withLock { state in
      state.isClosed = true
      state.chunks = []
      return state.writer.take()
    }
    writer?.resume(returning: .failure(Self.closed))
  }

  // MARK: The source's side

  /// Appends a chunk; returns whether libcurl was waiting for it, and whether the queue is full now.
  func append(_ chunk: [UInt8]) -> (wasStarved: Bool, isFull: Bool) {
    state.withLock { state in
      if state.isClosed { return (false, true) }
      state.chunks.append(chunk)
      defer { state.isStarved = false }
      return (state.isStarved, state.chunks.count >= Self.capacity)
    }
  }

  /// Marks the end, which fields may follow; returns whether libcurl was waiting for it.
  func end(trailers: HTTPFields = [:]) -> Bool {
    state.withLock { state in
      state.trailers = trailers
      state.isEnded = true
      defer { state.isStarved = false }
      return state.isStarved
    }
  }

  /// Waits until another chunk may be appended; throws once the transfer has ended.
  func waitForRoom() async throws(NetworkError) {
    try await waitForResult { continuation in
      let result: Result<Void, NetworkError>? = state.withLock { state in
        if state.isClosed { return .failure(Self.closed) }
        if state.chunks.count < Self.capacity { return .success(()) }
        state.writer = continuation
        return nil
      }
      if let result { continuation.resume(returning: result) }
    } onCancel: {
      close()
    }
  }

  private static var closed: NetworkError {
    NetworkError(.cancelled(.task), "The transfer that sent the body has ended.")
  }
}

/// Reads a streamed request body in a task of its own, at the pace at which it is sent.
struct UploadPump: Sendable {
  let id: TransferID
  let body: RequestBody
  var trailers: RequestTrailers?
  let queue: UploadQueue
  let mailbox: Mailbox

  func run() async {
    do throws(NetworkError) {
      let source = try await body.open()
      mailbox.post(.uploadOpened(id))
      await withTaskCancellationHandler {
        do throws(NetworkError) {
          try await copy(source)
        } catch {
          source.cancel()
          fail(error)
        }
      } onCancel: {
        source.cancel()
      }
    } catch {
      fail(error)
    }
  }

  private func fail(_ error: NetworkError) {
    // Another pump may read the body for the same transfer.
    if !queue.isClosed { mailbox.post(.uploadFailed(id, error)) }
  }

  private func copy(_ source: any ByteSource) async throws(NetworkError) {
    var total: Int64 = 0
    while let chunk = try await source.read() {
      total += Int64(chunk.count)
      if let length = body.length, total > length { throw promiseBroken("gave more than", length) }
      guard !chunk.isEmpty else { continue }
      // libcurl may be waiting for the chunk, so it is resumed before this waits for room.
      let place = queue.append(chunk)
      if place.wasStarved { mailbox.post(.uploadReady(id)) }
      if place.isFull { try await queue.waitForRoom() }
    }
    if let length = body.length, total < length { throw promiseBroken("ended after \(total) of", length) }
    let fields = try await trailers?.fields() ?? [:]
    if queue.end(trailers: fields) { mailbox.post(.uploadReady(id)) }
  }

  private func promiseBroken(_ words: String, _ length: Int64) -> NetworkError {
    .invalidRequest("The body \(words) the \(length) bytes it promised; correct the length, or promise none.")
  }
}
