import Interception
import Synchronization

/// The bounded buffers between the loop's thread and the user of an upgraded connection, one per direction.
final class UpgradePipe: Sendable {
  private struct Writer {
    let number: Int
    let bytes: [UInt8]
    let continuation: ResultContinuation<Void>
  }

  private struct State {
    var incoming: [UInt8] = []
    var outgoing: [UInt8] = []
    /// The tasks that wait for room, in order.
    var writers: [Writer] = []
    var lastWriter = 0
    var reader: ResultContinuation<Void>?
    var isPaused = false
    /// Whether the peer has closed its side.
    var hasEnded = false
    var isClosing = false
    var failure: NetworkError?
  }

  /// The number of bytes in a direction from which on it is paused.
  static let highWater = 64 << 10

  private let id: TransferID
  private let mailbox: Mailbox
  private let origin: WebOrigin
  private let state: Mutex<State>

  init(id: TransferID, mailbox: Mailbox, origin: WebOrigin, received: [UInt8]) {
    self.id = id
    self.mailbox = mailbox
    self.origin = origin
    state = Mutex(State(incoming: received))
  }

  // MARK: The thread's side

  /// Whether more bytes may be received.
  func wantsBytes() -> Bool {
    state.withLock { state in
      state.isPaused = state.incoming.count >= Self.highWater
      return !state.isPaused && !state.hasEnded
    }
  }

  func offer(_ bytes: [UInt8]) {
    let reader = state.withLock { state in
      state.incoming += bytes
      return state.reader.take()
    }
    reader?.resume(returning: .success(()))
  }

  /// Records that the peer has closed its side, or that the connection was lost.
  func end(_ failure: NetworkError?) {
    let (reader, writers) = state.withLock { state in
      state.hasEnded = true
      if let failure, state.failure == nil { state.failure = failure }
      let writers = state.failure == nil ? [] : state.writers
      if state.failure != nil { state.writers = [] }
      return (state.reader.take(), writers)
    }
    reader?.resume(returning: .success(()))
    guard let failure else { return }
    for writer in writers { writer.continuation.resume(returning: .failure(failure)) }
  }

  /// Returns the bytes to send, and lets waiting writers fill their place.
  func takeOutgoing() -> [UInt8] {
    let (bytes, resumed) = state.withLock { state in
      let bytes = state.outgoing
      state.outgoing = []
      var resumed: [Writer] = []
      while state.outgoing.count < Self.highWater, !state.writers.isEmpty {
        let writer = state.writers.removeFirst()
        state.outgoing += writer.bytes
        resumed.append(writer)
      }
      return (bytes, resumed)
    }
    for writer in resumed { writer.continuation.resume(returning: .success(())) }
    return bytes
  }

  /// Whether the user has closed the connection.
  var isClosing: Bool { state.withLock { $0.isClosing } }

  /// Whether bytes are queued.
  var hasOutgoing: Bool { state.withLock { !$0.outgoing.isEmpty } }

  // MARK: The user's side

  func read() async throws(NetworkError) -> [UInt8]? {
    while true {
      if Task.isCancelled { throw cancellation }
      let (bytes, wasPaused, hasEnded, failure) = state.withLock { state in
        defer { (state.incoming, state.isPaused) = ([], false) }
        return (state.incoming, state.isPaused, state.hasEnded || state.isClosing, state.failure)
      }
      if wasPaused { tell() }
      if !bytes.isEmpty { return bytes }
      if let failure { throw failure }
      if hasEnded { return nil }
      try await waitForResult { continuation in
        let isReady = state.withLock { state in
          let isReady = !state.incoming.isEmpty || state.hasEnded || state.isClosing || Task.isCancelled
          if !isReady { state.reader = continuation }
          return isReady
        }
        if isReady { continuation.resume(returning: .success(())) }
      } onCancel: {
        state.withLock { $0.reader.take() }?.resume(returning: .success(()))
      }
    }
  }

  func write(_ bytes: [UInt8]) async throws(NetworkError) {
    let number = state.withLock { state in
      state.lastWriter += 1
      return state.lastWriter
    }
    try await waitForResult { continuation in
      let (result, isFirst): (Result<Void, NetworkError>?, Bool) = state.withLock { state in
        if Task.isCancelled { return (.failure(cancellation), false) }
        if let failure = state.failure { return (.failure(failure), false) }
        if state.isClosing { return (.failure(closed), false) }
        guard state.writers.isEmpty, state.outgoing.count < Self.highWater else {
          state.writers.append(Writer(number: number, bytes: bytes, continuation: continuation))
          return (nil, false)
        }
        let isFirst = state.outgoing.isEmpty
        state.outgoing += bytes
        return (.success(()), isFirst)
      }
      if isFirst { tell() }
      if let result { continuation.resume(returning: result) }
    } onCancel: {
      let writer = state.withLock { state in
        state.writers.firstIndex { $0.number == number }.map { state.writers.remove(at: $0) }
      }
      writer?.continuation.resume(returning: .failure(cancellation))
    }
  }

  func writeAtOnce(_ bytes: [UInt8]) {
    let isFirst = state.withLock { state in
      guard state.failure == nil, !state.isClosing, state.outgoing.count < 2 * Self.highWater else {
        return false
      }
      let isFirst = state.outgoing.isEmpty
      state.outgoing += bytes
      return isFirst
    }
    if isFirst { tell() }
  }

  func close() {
    let (isFirst, reader, writers) = state.withLock { state in
      defer { (state.isClosing, state.writers) = (true, []) }
      return (!state.isClosing, state.reader.take(), state.writers)
    }
    reader?.resume(returning: .success(()))
    for writer in writers { writer.continuation.resume(returning: .failure(closed)) }
    if isFirst { tell() }
  }

  private func tell() { mailbox.post(.upgradeReady(id)) }

  private var cancellation: NetworkError {
    NetworkError(
      .cancelled(.task), "The wait for the connection to \(origin) was cancelled.",
      requestMayHaveBeenProcessed: true)
  }

  private var closed: NetworkError {
    NetworkError(.transport, "The connection to \(origin) is closed.", requestMayHaveBeenProcessed: true)
  }
}

/// The user's reference to an upgraded connection, which keeps the loop's thread and closes the connection
/// when it is released.
final class CurlConnection: UpgradedConnection {
  private let pipe: UpgradePipe
  private let owner: LoopOwner

  init(_ pipe: UpgradePipe, owner: LoopOwner) {
    self.pipe = pipe
    self.owner = owner
  }

  deinit { pipe.close() }

  func read() async throws(NetworkError) -> [UInt8]? { try await pipe.read() }

  func write(_ bytes: [UInt8]) async throws(NetworkError) { try await pipe.write(bytes) }

  func writeAtOnce(_ bytes: [UInt8]) { pipe.writeAtOnce(bytes) }

  func close() { pipe.close() }
}
