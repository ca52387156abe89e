import Interception
import Synchronization

/// An open connection: the shell around the pure parts, with one task that receives and one that sends pings.
///
/// The tasks end with the connection, which ``abandon()`` closes; they retain the session, not the socket.
final class WebSocketSession: Sendable {
  struct State: Sendable {
    var closing = CloseHandshake()
    var inbox: Inbox
    var keepAlive: KeepAlive?
    /// The receiving task, while the inbox is full.
    var receiver: CheckedContinuation<Void, Never>?
    var pings: [[UInt8]: CheckedContinuation<Bool, Never>] = [:]
    var end: SessionEnd?
    var onEnd: [Int: CheckedContinuation<Void, Never>] = [:]
    var lastNumber = 0

    /// A number that was not used before.
    mutating func number() -> Int {
      lastNumber += 1
      return lastNumber
    }
  }

  let connection: any UpgradedConnection
  let configuration: WebSocketConfiguration
  let time: TimeSource
  let state: Mutex<State>
  /// Whether there may be a message or an end for a reader; one that spins reads it without the lock.
  let hasNews = Atomic(false)
  /// What compresses messages; nil if no compression was negotiated.
  let deflater: (any MessageDeflating)?

  /// Starts to receive from a connection.
  ///
  /// - Parameter compression: What was agreed on; nil for no compression.
  init(
    _ connection: any UpgradedConnection, _ configuration: WebSocketConfiguration,
    compression: CompressionAgreement? = nil, time: TimeSource
  ) {
    deflater = compression.flatMap { _ in
      configuration.compression.flatMap {
        $0.compressor.makeDeflater(minimumLength: $0.minimumLength)
      }
    }
    self.connection = connection
    self.configuration = configuration
    self.time = time
    let keepAlive = configuration.pingInterval.map {
      KeepAlive(interval: $0, limit: configuration.pongTimeout, at: time.now())
    }
    state = Mutex(State(inbox: Inbox(limit: max(configuration.receiveBuffer, 1)), keepAlive: keepAlive))
    // To decompress may take long, so it is done elsewhere.
    Task(executorPreference: compression == nil ? connection.executor : nil) { await self.run(compression) }
  }

  /// How the connection ended; nil while it is open.
  var end: SessionEnd? { state.withLock { $0.end } }

  /// Ends the connection without a close frame; the tasks end soon.
  func abandon() { finish(.closed(nil, isLocal: true)) }

  private func run(_ compression: CompressionAgreement?) async {
    let end = await withTaskGroup(of: SessionEnd?.self) { group in
      group.addTask { await self.receive(compression) }
      group.addTask { await self.sendPings() }
      while let end = await group.next() {
        guard let end else { continue }
        // Ends the other task also while it waits for the consumer.
        self.finish(end)
        group.cancelAll()
        return end
      }
      return .failed(.lost)
    }
    finish(end)
  }

  /// Records the end, closes the connection and resumes all that wait; later calls have no effect.
  func finish(_ end: SessionEnd) {
    let finished: State? = state.withLock { state in
      guard state.end == nil else { return nil }
      state.end = end
      var finished = state
      finished.inbox = Inbox(limit: 1)
      (state.receiver, state.pings, state.onEnd) = (nil, [:], [:])
      return finished
    }
    guard let finished else { return }
    hasNews.store(true, ordering: .releasing)
    connection.close()
    finished.receiver?.resume()
    for ping in finished.pings.values { ping.resume(returning: false) }
    let answer: Inbox.Answer = end.readingError.map { .failure($0) } ?? .success(nil)
    for reader in state.withLock({ $0.inbox.takeReaders() }) { reader.continuation.resume(returning: answer) }
    for waiting in finished.onEnd.values { waiting.resume() }
  }

  // MARK: Receiving

  private func receive(_ compression: CompressionAgreement?) async -> SessionEnd {
    let inflater = compression.flatMap {
      configuration.compression?.compressor.makeInflater(retainsContext: $0.retainsContext)
    }
    var reader = MessageReader(limits: configuration.readingLimits, inflater: inflater)
    var allowance = PingAllowance()
    do {
      if compression != nil, inflater == nil { throw ProtocolFault.noMemory }
      while let bytes = try await connection.read() {
        state.withLock { $0.keepAlive?.noteReceived(at: time.now()) }
        reader.append(bytes)
        while let event = try reader.next() {
          if let end = try await handle(event, &allowance) { return end }
        }
      }
      return end ?? .failed(.lost)
    } catch let fault as ProtocolFault {
      let frame = state.withLock { $0.closing.end(with: WebSocketClosure(code: fault.code)) }
      if let frame { connection.writeAtOnce(Self.frame(.close, frame.payload)) }
      return .failed(.violation(fault))
    } catch let error as NetworkError {
      return .failed(WebSocketError(error))
    } catch {
      return .failed(.lost)
    }
  }

  private func handle(
    _ event: MessageReader.Event, _ allowance: inout PingAllowance
  ) async throws -> SessionEnd? {
    switch event {
    case .message(let message): await deliver(message)
    case .ping(let payload):
      try allowance.use(at: time.now())
      if state.withLock({ $0.closing.maySend }) { connection.writeAtOnce(Self.frame(.pong, payload)) }
    case .pong(let payload): state.withLock { $0.pings.removeValue(forKey: payload) }?.resume(returning: true)
    case .close(let closure):
      let (frame, isLocal) = state.withLock { state in
        (state.closing.receive(closure), state.closing.isLocal)
      }
      if let frame { connection.writeAtOnce(Self.frame(.close, frame.payload)) }
      return .closed(closure, isLocal: isLocal)
    }
    return nil
  }

  /// Hands a message over, and waits while too many are unread; after this side's close frame it is dropped.
  private func deliver(_ message: WebSocketMessage) async {
    let (reader, isFull): (Inbox.Reader?, Bool) = state.withLock { state in
      guard state.closing.maySend, state.end == nil else { return (nil, state.inbox.isFull) }
      return (state.inbox.add(message), state.inbox.isFull)
    }
    // Not under the lock, for which the reader that spins would have to wait.
    hasNews.store(true, ordering: .releasing)
    reader?.continuation.resume(returning: .success(message))
    guard isFull else { return }
    await withCheckedContinuation { continuation in
      let waits = state.withLock { state in
        let waits = state.inbox.isFull && state.end == nil && state.closing.maySend
        if waits {
          state.receiver = continuation
          state.keepAlive?.notePaused()
        }
        return waits
      }
      if !waits { continuation.resume() }
    }
    state.withLock { $0.keepAlive?.noteReceived(at: time.now()) }
  }

  // MARK: Pings

  private func sendPings() async -> SessionEnd? {
    while let step = state.withLock({ $0.keepAlive?.next(at: time.now()) }) {
      switch step {
      case .wait(let duration):
        guard (try? await time.sleep(for: duration)) != nil else { return nil }
      case .ping: connection.writeAtOnce(Self.frame(.ping, []))
      case .timeOut: return .failed(.pongTimeout(configuration.pongTimeout))
      }
    }
    return nil
  }

  /// Returns a masked frame.
  static func frame(
    _ type: FrameType, isCompressed: Bool = false, _ payload: some Collection<UInt8>
  ) -> [UInt8] {
    // The system's generator is suitable for keys that must be unpredictable (RFC 6455, section 10.3).
    FrameWriter.frame(type, isCompressed: isCompressed, payload, mask: UInt32.random(in: 0 ... .max))
  }
}
