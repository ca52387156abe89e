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
    /// How many of them were queued without a wait.
    var outgoingAtOnce = 0
    /// The tasks that wait for room, in order.
    var writers: [Writer] = []
    var lastWriter = 0
    var reader: ResultContinuation<Void>?
    var isPaused = false
    /// Whether the peer has closed its side.
    var hasEnded = false
    var isClosing = false
    var failure: NetworkError?
    /// Whether the thread exchanged bytes only with this server when the latest ones were received.
    var isAlone = false
    /// The number of writes since then.
    var writes = 0

    /// Queues bytes if there is room and no one waits for it; returns whether they are the first, or nil.
    mutating func append(_ bytes: [UInt8]) -> Bool? {
      guard failure == nil, !isClosing, writers.isEmpty, outgoing.count < UpgradePipe.highWater else {
        return nil
      }
      writes += 1
      let isFirst = outgoing.isEmpty
      if isFirst { outgoing = bytes } else { outgoing += bytes }
      return isFirst
    }
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

  func offer(_ bytes: [UInt8], isAlone: Bool) {
    let reader = state.withLock { state in
      if state.incoming.isEmpty { state.incoming = bytes } else { state.incoming += bytes }
      (state.isAlone, state.writes) = (isAlone, 0)
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
      (state.outgoing, state.outgoingAtOnce) = ([], 0)
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
    // Mostly there is room, so that nothing has to wait.
    let isFirst = Task.isCancelled ? nil : state.withLock { $0.append(bytes) }
    guard let isFirst else { return try await writeLater(bytes) }
    if isFirst { tell() }
  }

  private func writeLater(_ bytes: [UInt8]) async throws(NetworkError) {
    let number = state.withLock { state in
      state.lastWriter += 1
      return state.lastWriter
    }
    try await waitForResult { continuation in
      let (result, isFirst): (Result<Void, NetworkError>?, Bool) = state.withLock { state in
        if Task.isCancelled { return (.failure(cancellation), false) }
        if let failure = state.failure { return (.failure(failure), false) }
        if state.isClosing { return (.failure(closed), false) }
        if let isFirst = state.append(bytes) { return (.success(()), isFirst) }
        state.writers.append(Writer(number: number, bytes: bytes, continuation: continuation))
        return (nil, false)
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
      // A long message that is queued must not keep the close frame from being sent.
      guard state.failure == nil, !state.isClosing, state.outgoingAtOnce < Self.highWater else {
        return false
      }
      state.outgoingAtOnce += bytes.count
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

  /// Whether the server's next bytes may respond to the latest ones, and the thread does nothing else.
  var isConversation: Bool { state.withLock { $0.isAlone && $0.writes == 1 && $0.incoming.isEmpty } }

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
  private let spinPolicy: Mutex<SpinPolicy>

  init(_ pipe: UpgradePipe, owner: LoopOwner) {
    self.pipe = pipe
    self.owner = owner
    spinPolicy = Mutex(SpinPolicy(isEnabled: owner.spinPolicy.withLock { $0.isEnabled }))
  }

  deinit { pipe.close() }

  func read() async throws(NetworkError) -> [UInt8]? { try await pipe.read() }

  func write(_ bytes: [UInt8]) async throws(NetworkError) { try await pipe.write(bytes) }

  func writeAtOnce(_ bytes: [UInt8]) { pipe.writeAtOnce(bytes) }

  func close() { pipe.close() }

  /// The loop's thread.
  var executor: (any TaskExecutor)? { owner.mailbox }

  func spin(until condition: () -> Bool) -> Bool {
    guard pipe.isConversation, spinPolicy.withLock({ $0.shouldSpin() }) else { return false }
    let success = SpinPolicy.spin(SpinPolicy.responseTime, until: condition)
    spinPolicy.withLock { $0.record(success: success) }
    return success
  }
}
